// Scan of any size in parts that are right; each kernel of this folder writes out the part that it gets
// wrong. A tile has TILE elements, one a thread.
#pragma once
#include "../corpus.h"

enum { TILE = 64 };
inline int tiles_of(int n) { return (n + TILE - 1) / TILE; }

// Inclusive sum of x over the threads of the block. Ends with a barrier.
__device__ inline int block_sum(int x) {
  __shared__ int s[TILE];
  s[threadIdx.x] = x;
  __syncthreads();
  for (int offset = 1; offset < TILE; offset *= 2) {
    const int left = threadIdx.x >= offset ? s[threadIdx.x - offset] : 0;
    __syncthreads();
    x = s[threadIdx.x] += left;
    __syncthreads();
  }
  return x;
}

// Exclusive sums of each tile; the total of tile b to sums[b], unless sums is null.
static __global__ void scan_tiles(const int *in, int *out, int *sums, int n) {
  const int i = blockIdx.x * TILE + threadIdx.x, x = i < n ? in[i] : 0, sum = block_sum(x);
  if (i < n) out[i] = sum - x;
  if (sums && threadIdx.x == TILE - 1) sums[blockIdx.x] = sum;
}

static __global__ void add_offsets(int *out, const int *offsets, int n) {
  const int i = blockIdx.x * TILE + threadIdx.x;
  if (i < n) out[i] += offsets[blockIdx.x];
}

typedef void tile_kernel(const int *in, int *out, int *sums, int n);
// The three launches, with `first` as the first one: at most TILE tiles.
// run: three_launches(first, in, out, n)
inline cudaError_t three_launches(tile_kernel *first, const int *in, int *out, int n) {
  int *sums;
  MUST(cudaMalloc((void **)&sums, tiles_of(n) * sizeof(int)));
  first<<<tiles_of(n), TILE>>>(in, out, sums, n);
  scan_tiles<<<1, TILE>>>(sums, sums, nullptr, tiles_of(n));
  add_offsets<<<tiles_of(n), TILE>>>(out, sums, n);
  return freed(sums);
}
