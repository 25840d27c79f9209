// What the wrong kernels of this folder share. A file is one mistake and its correction: lines that end
// with "// wrong" are in the wrong form alone, lines that end with "// twin" in the corrected twin alone. Its
// first lines say what must be found, and where (expectation.h).
//
// Mistakes that are made in one kernel share a file and its twin. Lines that end with "// wrong NAME" are in
// the wrong form NAME alone, lines that end with "// not NAME, .." in all but those.
//
// There are two kinds of files. gather.sh puts those of a folder into one program, behind this header and the
// folder's own (*.cuh), each in two namespaces:
//   - A kernel of a lab defines TASK, what is asked for, and run(in, out, n), which starts kernels as a lab's
//     entry point does: `in` and `out` are device arrays of exactly n elements.
//   - Any other program defines run(), its main function, which returns 0 if all went as foreseen.
// A file without run() has the one of its folder: the last line "// run:" in this header and the folder's own
// says what it returns.
//
// Kernels of different twins are alike for lines on end: a reader sees each mistake in a whole kernel.
//
//   PROGRAM wrong|twin NAME      a lab: prints "right" or "differs", or ends with the CUDA error: 0, 1, 2
//                                another program: exits with what run() returns
//   PROGRAM wrong|twin all       the same of all of them, with their names
#pragma once

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../include/scanlab/must.h"

inline bool corpus_twin; // this run is that of a corrected twin

// To end run() of a program: 0 if its kernels have ended with the error [wrong], the twin's without.
inline int ended_with(cudaError_t wrong) {
  const cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  if (e == cudaSuccess && cudaDeviceReset() != cudaSuccess) return 1;
  return e != (corpus_twin ? cudaSuccess : wrong);
}

// An array on the device: "int *d = unset(256), *e = filled(256, 1);".
struct on_device {
  void *p;
  template <class T> operator T *() const { return (T *)p; }
};
inline on_device unset(size_t bytes) {
  on_device d;
  return cudaMalloc(&d.p, bytes), d;
}
inline on_device filled(size_t bytes, int value = 0) {
  const on_device d = unset(bytes);
  return cudaMemset(d.p, value, bytes), d;
}

// run() of a program of one launch: kernel(d, args..) with d on so many bytes of [fill], or of anything.
enum { UNSET = -1 };
template <class T, class... P, class... A>
int played(void (*kernel)(T *, P...), int blocks, int threads, size_t bytes, int fill, A... args) {
  T *d = fill == UNSET ? unset(bytes) : filled(bytes, fill);
  kernel<<<blocks, threads>>>(d, args...);
  return ended_with(cudaSuccess);
}

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

struct corpus_program {
  const char *name;
  int (*wrong)(), (*twin)();
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

inline bool play(const corpus_case *c, int call) {
  const size_t bytes = c->t.n * sizeof(int);
  int *in = (int *)malloc(bytes), *want = (int *)malloc(bytes), *got = (int *)malloc(bytes), *d_in, *d_out;
  for (int i = 0; i < c->t.n; i++) in[i] = 1 + (i * 7 + call * 5 + i / 11) % 13;
  MUST(cudaMalloc((void **)&d_in, bytes));
  MUST(cudaMalloc((void **)&d_out, bytes));
  MUST(cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice));
  MUST(cudaMemset(d_out, 0xa5, bytes)); // an element that is not written is not right by chance
  MUST((corpus_twin ? c->twin : c->wrong)(d_in, d_out, c->t.n));
  MUST(cudaDeviceSynchronize());
  MUST(cudaMemcpy(got, d_out, bytes, cudaMemcpyDeviceToHost));
  MUST(cudaFree(d_in));
  MUST(cudaFree(d_out));
  expected(c->t, in, want);
  const bool right = memcmp(got, want, bytes) == 0;
  free(in), free(want), free(got);
  return right;
}

inline int play(const corpus_case *c) {
  bool right = true;
  for (int call = 0; call < c->t.calls; call++) right &= play(c, call);
  puts(right ? "right" : "differs");
  return !right;
}

inline int play(const corpus_program *c) { return (corpus_twin ? c->twin : c->wrong)(); }

template <class C, int N> int corpus_main(int argc, char **argv, const C (&cases)[N]) {
  if (argc != 3) return fprintf(stderr, "usage: %s wrong|twin NAME|all\n", argv[0]), 3;
  const bool all = strcmp(argv[2], "all") == 0;
  int differ = 0, played = 0;
  corpus_twin = strcmp(argv[1], "twin") == 0;
  for (const C &c : cases) {
    if (!all && strcmp(c.name, argv[2]) != 0) continue;
    if (all) printf("%s: ", c.name);
    differ |= play(&c);
    played++;
  }
  return played ? differ : (fprintf(stderr, "%s: no case '%s'\n", argv[0], argv[2]), 3);
}

// Launches kernel(in, out, n) as one block of so many threads.
// run: one_block(scan, in, out, n, n)
template <class K>
cudaError_t one_block(K kernel, const int *in, int *out, int n, int threads, size_t shared_bytes = 0) {
  kernel<<<1, threads, shared_bytes>>>(in, out, n);
  return cudaGetLastError();
}

// To end run() of a kernel with memory of its own: the last error, or that of cudaFree(p).
inline cudaError_t freed(void *p) {
  const cudaError_t last = cudaGetLastError(), e = cudaFree(p);
  return last != cudaSuccess ? last : e;
}

// Launches kernel(in, out, n, p) with p on so many words of zeros.
template <class K>
cudaError_t with_scratch(K kernel, int blocks, int threads, size_t words, const int *in, int *out, int n,
                         bool coop = false) {
  int *p;
  MUST(cudaMalloc((void **)&p, words * 4));
  cudaMemset(p, 0, words * 4);
  if (coop) {
    void *args[] = {(void *)&in, &out, &n, &p};
    cudaLaunchCooperativeKernel((void *)kernel, dim3(blocks), dim3(threads), args, 0, 0);
  } else kernel<<<blocks, threads>>>(in, out, n, p);
  return freed(p);
}
