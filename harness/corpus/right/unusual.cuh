// What the right kernels share: a scan of a warp and of a block, and a launch with scratch memory.
#ifndef SL_CORPUS_UNUSUAL_CUH
#define SL_CORPUS_UNUSUAL_CUH

#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/atomic>
#include <cuda/semaphore>
#include <cuda/latch>
namespace cg = cooperative_groups;

// Inclusive, of whole warps.
__device__ inline int warp_sum(int x) {
  const int l = threadIdx.x & 31;
  for (int o = 1; o < 32; o *= 2) {
    const int y = __shfl_up_sync(0xffffffff, x, o);
    if (l >= o) x += y;
  }
  return x;
}

// Inclusive, of a block of whole warps. Has two barriers.
__device__ inline int block_scan(int x) {
  __shared__ int w[32];
  const int l = threadIdx.x & 31, k = threadIdx.x >> 5;
  x = warp_sum(x);
  if (l == 31) w[k] = x;
  __syncthreads();
  int b = 0;
  for (int j = 0; j < k; j++) b += w[j];
  __syncthreads();
  return x + b;
}

// words: of scratch memory, zeros, which the kernel gets as its last argument.
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
  } else
    kernel<<<blocks, threads>>>(in, out, n, p);
  if (e == cudaSuccess) e = cudaGetLastError();
  const cudaError_t f = cudaFree(p);
  return e != cudaSuccess ? e : f;
}
#endif
