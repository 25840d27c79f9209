// What the right kernels share: a scan of a warp and of a block.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/atomic>
#include <cuda/semaphore>
#include <cuda/latch>
#include "../corpus.h"
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
