// Asynchronous copies that arrive as late as they may. late CASE exits 0 if the tiles came out reversed.
#include <cstdio>
#include <cstring>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include "../../corpus/programs_90/bulk.cuh"

enum { TILES = 4, N = 64 };

template <bool COMMIT, int LEFT> __global__ void groups(const int *in, int *out) {
  __shared__ int s[2][N];
  int t = threadIdx.x;
  for (int k = -1; k < TILES; k++) {
    if (k + 1 < TILES) __pipeline_memcpy_async(&s[(k + 1) & 1][t], &in[(k + 1) * N + t], 4);
    if (COMMIT) __pipeline_commit();
    if (k < 0) continue;
    __pipeline_wait_prior(LEFT);
    __syncthreads();
    out[k * N + t] = s[k & 1][N - 1 - t];
    __syncthreads();
  }
}

template <bool BULK, bool WAIT> __global__ void objects(const int *in, int *out) {
  __shared__ alignas(16) int s[N];
  __shared__ uint64_t object;
  int t = threadIdx.x;
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(&object)), "r"(BULK ? 1 : N) : "memory");
  __syncthreads();
  for (int k = 0; k < TILES; k++) {
    if (!BULK) {
      __pipeline_memcpy_async(&s[t], &in[k * N + t], 4);
      asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(at(&object)) : "memory");
    } else if (t == 0) {
      begin(&object, s, in + k * N, N * 4);
    }
    if (WAIT) wait(&object, k & 1);
    __syncthreads();
    out[k * N + t] = s[N - 1 - t];
    __syncthreads();
  }
}

typedef void (*kernel)(const int *, int *);
static const struct {
  const char *name;
  kernel run;
} CASES[] = {{"groups", groups<true, 1>},         {"all", groups<false, 1>},
             {"too_few", groups<true, 2>},        {"arrivals", objects<false, true>},
             {"arrivals_no_wait", objects<false, false>}, {"bulk", objects<true, true>},
             {"bulk_no_wait", objects<true, false>}};

static int check(kernel run) {
  int in[TILES * N], out[TILES * N], *d;
  for (int k = 0; k < TILES * N; k++) in[k] = 7 * k + 1;
  cudaMalloc(&d, 2 * sizeof in);
  cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
  run<<<1, N>>>(d, d + TILES * N);
  if (cudaMemcpy(out, d + TILES * N, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
  cudaFree(d);
  for (int k = 0; k < TILES * N; k++)
    if (out[k] != in[k / N * N + N - 1 - k % N]) return 1;
  return 0;
}

int main(int argc, char **argv) {
  for (auto &c : CASES)
    if (argc > 1 && !strcmp(argv[1], c.name)) return check(c.run);
  return 2;
}
