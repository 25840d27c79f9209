// Right, in another style: the threads of a block wait for each other at a cuda::barrier.
#include "scanlab/lab.h"
#include <cuda/barrier>
typedef cuda::barrier<cuda::thread_scope_block> barrier_t;

const int BLOCK = 256; // threads of a block, one element each

/* Kernel:   count_kernel — how many elements of each tile are kept: d_counts[tile]
 * Launch:   grid = tiles, block = BLOCK     Shared: s[BLOCK], the scan of the flags
 * Kernel:   offsets_kernel — exclusive sums of d_counts in place, and their total, by one block
 * Kernel:   scatter_kernel — every kept element to its place: the tile's offset + the kept ones before it */

// The inclusive sum of `flag` over the threads of the block up to this one. All threads of the block call it.
__device__ uint32_t scan_block(uint32_t flag, uint32_t *s, barrier_t &bar) {
  const int t = threadIdx.x;

  s[t] = flag;
  bar.arrive_and_wait();
  for (int offset = 1; offset < BLOCK; offset *= 2) {
    uint32_t sum = s[t];
    if (t >= offset) sum += s[t - offset];
    bar.arrive_and_wait();
    s[t] = sum;
    bar.arrive_and_wait();
  }

  return s[t];
}

__global__ void count_kernel(const int32_t *d_in, uint32_t *d_counts, size_t n) {
  __shared__ uint32_t s[BLOCK];
  __shared__ barrier_t bar;
  if (threadIdx.x == 0) init(&bar, BLOCK);
  __syncthreads();
  size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;

  uint32_t flag = i < n && d_in[i] != 0;
  uint32_t upto = scan_block(flag, s, bar);
  if (threadIdx.x == BLOCK - 1) d_counts[blockIdx.x] = upto;
}

__global__ void offsets_kernel(uint32_t *d_counts, uint32_t *d_count, size_t tiles) {
  __shared__ uint32_t s[BLOCK];
  __shared__ barrier_t bar;
  if (threadIdx.x == 0) init(&bar, BLOCK);
  __syncthreads();
  uint32_t before = 0; // the sum of all counts before this round
  for (size_t first = 0; first < tiles; first += BLOCK) {
    size_t i = first + threadIdx.x;

    uint32_t own = i < tiles ? d_counts[i] : 0;
    uint32_t upto = scan_block(own, s, bar);
    if (i < tiles) d_counts[i] = before + upto - own;
    before += s[BLOCK - 1];
    __syncthreads(); // the next round writes s
  }
  if (threadIdx.x == 0) *d_count = before;
}

__global__ void scatter_kernel(const int32_t *d_in, int32_t *d_out, const uint32_t *d_offsets, size_t n) {
  __shared__ uint32_t s[BLOCK];
  __shared__ barrier_t bar;
  if (threadIdx.x == 0) init(&bar, BLOCK);
  __syncthreads();
  size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;

  uint32_t flag = i < n && d_in[i] != 0;
  uint32_t upto = scan_block(flag, s, bar);
  if (flag) d_out[d_offsets[blockIdx.x] + upto - 1] = d_in[i];
}

extern "C" cudaError_t lab11_compaction(const int32_t *d_in, int32_t *d_out, uint32_t *d_count, size_t n) {
  if (n == 0) return cudaSuccess;
  size_t tiles = (n + BLOCK - 1) / BLOCK;
  uint32_t *d_counts;
  SL_CUDA(cudaMalloc(&d_counts, tiles * sizeof *d_counts));

  count_kernel<<<(unsigned)tiles, BLOCK>>>(d_in, d_counts, n);
  offsets_kernel<<<1, BLOCK>>>(d_counts, d_count, tiles);
  scatter_kernel<<<(unsigned)tiles, BLOCK>>>(d_in, d_out, d_counts, n);

  cudaError_t err = cudaGetLastError();
  cudaFree(d_counts);
  return err;
}
