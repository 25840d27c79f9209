// What the kernels of this folder share. One file is one mistake: compiled as it is, it is wrong; with
// SL_TWIN defined it is the corrected twin. Its first line says what must be found, and where:
//
//   // expect: KIND at LINE[, KIND at LINE ..]      KIND without a line: the judge says it of the whole run
//   // expect: COUNTER above N at LINE              more than N of it is the mistake; LINE has most of it
//   // with: OPTIONS                                (second line, if any) options of sl-sim that it takes
//
// A file defines TASK, what is asked for, and run(), which starts kernels as a lab's entry point does: `in`
// and `out` are device arrays of exactly n elements. gather.sh puts all files of a lab into one program, each
// in two namespaces:
//
//   PROGRAM wrong|twin NAME      prints "right" or "differs", or ends with the CUDA error; exits 0, 1 or 2
//   PROGRAM wrong|twin all       the same of all kernels, with their names
#ifndef SL_CORPUS_CORPUS_H
#define SL_CORPUS_CORPUS_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../include/scanlab/must.h"

enum goal { INCLUSIVE, EXCLUSIVE, SORTED };

struct task {
  goal what;
  int n, calls; // calls: how often in one process, with other inputs each time
};

struct corpus_case {
  const char *name;
  task t;
  cudaError_t (*wrong)(const int *in, int *out, int n);
  cudaError_t (*twin)(const int *in, int *out, int n);
};

inline int order(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

inline void expected(task t, const int *in, int *out) {
  int sum = 0;
  memcpy(out, in, t.n * sizeof(int));
  if (t.what == SORTED) return qsort(out, t.n, sizeof(int), order);
  for (int i = 0; i < t.n; i++) {
    out[i] = t.what == INCLUSIVE ? sum + in[i] : sum;
    sum += in[i];
  }
}

inline bool play(const corpus_case *c, bool twin, int call) {
  const size_t bytes = c->t.n * sizeof(int);
  int *in = (int *)malloc(bytes), *want = (int *)malloc(bytes), *got = (int *)malloc(bytes), *d_in, *d_out;
  for (int i = 0; i < c->t.n; i++) in[i] = 1 + (i * 7 + call * 5 + i / 11) % 13;
  MUST(cudaMalloc((void **)&d_in, bytes));
  MUST(cudaMalloc((void **)&d_out, bytes));
  MUST(cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice));
  MUST(cudaMemset(d_out, 0xa5, bytes)); // an element that is not written is not right by chance
  MUST((twin ? c->twin : c->wrong)(d_in, d_out, c->t.n));
  MUST(cudaDeviceSynchronize());
  MUST(cudaMemcpy(got, d_out, bytes, cudaMemcpyDeviceToHost));
  MUST(cudaFree(d_in));
  MUST(cudaFree(d_out));
  expected(c->t, in, want);
  const bool right = memcmp(got, want, bytes) == 0;
  free(in), free(want), free(got);
  return right;
}

inline bool play_calls(const corpus_case *c, bool twin) {
  bool right = true;
  for (int call = 0; call < c->t.calls; call++) right &= play(c, twin, call);
  return right;
}

inline int corpus_all(const corpus_case *c, int n, bool twin) {
  int differ = 0;
  for (; n > 0; n--, c++) {
    const bool right = play_calls(c, twin);
    printf("%s: %s\n", c->name, right ? "right" : "differs");
    differ += !right;
  }
  return differ > 0;
}

inline int corpus_main(int argc, char **argv, const corpus_case *c, int n) {
  if (argc != 3) return fprintf(stderr, "usage: %s wrong|twin NAME\n", argv[0]), 3;
  if (strcmp(argv[2], "all") == 0) return corpus_all(c, n, strcmp(argv[1], "twin") == 0);
  for (; n > 0 && strcmp(c->name, argv[2]) != 0; n--) c++;
  if (n == 0) return fprintf(stderr, "%s: no case '%s'\n", argv[0], argv[2]), 3;
  const bool right = play_calls(c, strcmp(argv[1], "twin") == 0);
  puts(right ? "right" : "differs");
  return !right;
}

// Launches kernel(in, out, n, p) with p on so many words of zeros.
template <class K>
cudaError_t with_scratch(K kernel, int blocks, int threads, size_t words, const int *in, int *out, int n,
                         bool coop = false) {
  int *p = nullptr;
  cudaError_t e = cudaMalloc((void **)&p, words * 4);
  if (e != cudaSuccess) return e;
  cudaMemset(p, 0, words * 4);
  if (coop) {
    void *args[] = {(void *)&in, &out, &n, &p};
    e = cudaLaunchCooperativeKernel((void *)kernel, dim3(blocks), dim3(threads), args, 0, 0);
  } else kernel<<<blocks, threads>>>(in, out, n, p);
  if (e == cudaSuccess) e = cudaGetLastError();
  const cudaError_t f = cudaFree(p);
  return e != cudaSuccess ? e : f;
}

#endif
