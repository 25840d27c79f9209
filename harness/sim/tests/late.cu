// Asynchronous copies that arrive as late as they may. late CASE: exit 0: the tiles came out reversed; 1: they did not.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

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

__device__ uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__device__ void wait(uint64_t *object, uint32_t parity) {
  uint32_t over = 0;
  while (!over)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(over)
                 : "r"(at(object)), "r"(parity)
                 : "memory");
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
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&object)), "r"(N * 4) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(s)),
                   "l"(in + k * N), "r"(N * 4), "r"(at(&object))
                   : "memory");
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
