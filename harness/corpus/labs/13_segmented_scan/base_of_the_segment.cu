// Lab 13 by differences: the plain sum of everything, less what had been summed up when the segment began. A
// warp has 32 elements, a block 1024; one warp joins the blocks' parts.
#include "scanlab/lab.h"

const int WARP = 32, BLOCK = 1024;

struct part {
  uint32_t sum, base; // sum: all elements; base: those before the last head
  bool head;          // there is one
};

__device__ part join(part a, part b) {
  part both;
  both.sum = a.sum + b.sum;
  both.base = b.head ? a.sum + b.base : a.base;
  both.head = a.head || b.head;
  return both;
}

__device__ part over_warp(part x) {
  for (int offset = 1; offset < WARP; offset <<= 1) {
    part left;
    left.sum = __shfl_up_sync(~0u, x.sum, offset);
    left.base = __shfl_up_sync(~0u, x.base, offset);
    left.head = __shfl_up_sync(~0u, int(x.head), offset) != 0;
    if (threadIdx.x % WARP >= offset) x = join(left, x);
  }
  return x;
}

// The part of the block's elements up to the thread's own. All threads call it.
__device__ part over_block(part x) {
  __shared__ part s[BLOCK / WARP];
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  x = over_warp(x);
  if (lane == WARP - 1) s[warp] = x;
  __syncthreads();
  if (warp == 0) s[lane] = over_warp(s[lane]);
  __syncthreads();
  return warp ? join(s[warp - 1], x) : x;
}

__device__ part element(const uint32_t *heads, const int32_t *in, size_t n) {
  const size_t i = size_t(blockIdx.x) * BLOCK + threadIdx.x;
  part own = {0, 0, false};
  if (i < n) own.sum = uint32_t(in[i]), own.head = heads[i] != 0;
  return own;
}

__global__ void totals(const uint32_t *heads, const int32_t *in, part *of_block, size_t n) {
  const part upto = over_block(element(heads, in, n));
  if (threadIdx.x == BLOCK - 1) of_block[blockIdx.x] = upto;
}

__global__ void carries(part *of_block, unsigned blocks) {
  part before = {0, 0, false};
  for (unsigned first = 0; first < blocks; first += WARP) {
    const unsigned b = first + threadIdx.x;
    part x = {0, 0, false};
    if (b < blocks) x = of_block[b];
    x = join(before, over_warp(x));
    part left;
    left.sum = __shfl_up_sync(~0u, x.sum, 1);
    left.base = __shfl_up_sync(~0u, x.base, 1);
    left.head = __shfl_up_sync(~0u, int(x.head), 1) != 0;
    if (b < blocks) of_block[b] = threadIdx.x ? left : before;
    before.sum = __shfl_sync(~0u, x.sum, WARP - 1);
    before.base = __shfl_sync(~0u, x.base, WARP - 1);
    before.head = __shfl_sync(~0u, int(x.head), WARP - 1) != 0;
  }
}

__global__ void sums(const uint32_t *heads, const int32_t *in, int32_t *out, const part *of_block, size_t n) {
  const part upto = join(of_block[blockIdx.x], over_block(element(heads, in, n)));
  const size_t i = size_t(blockIdx.x) * BLOCK + threadIdx.x;
  if (i < n) out[i] = int32_t(upto.sum - upto.base);
}

extern "C" cudaError_t lab13_segmented_scan(const uint32_t *d_heads, const int32_t *d_in, int32_t *d_out,
                                            size_t n) {
  if (n == 0) return cudaSuccess;
  const unsigned blocks = unsigned((n + BLOCK - 1) / BLOCK);
  part *of_block = nullptr;
  SL_CUDA(cudaMalloc(&of_block, blocks * sizeof(part)));
  totals<<<blocks, BLOCK>>>(d_heads, d_in, of_block, n);
  carries<<<1, WARP>>>(of_block, blocks);
  sums<<<blocks, BLOCK>>>(d_heads, d_in, d_out, of_block, n);
  const cudaError_t error = cudaGetLastError();
  const cudaError_t freed = cudaFree(of_block);
  return error != cudaSuccess ? error : freed;
}
