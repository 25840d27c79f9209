// expect: barrier.divergent at 18
// Threads past the end return before the barriers of the block's scan.
#include "../corpus.h"
#include "tiles.cuh"

static const task TASK = {EXCLUSIVE, 500, 1};

__global__ void first(const int *in, int *out, int *sums, int n) {
  __shared__ int s[TILE];
  const int t = threadIdx.x, i = blockIdx.x * TILE + t;
  s[t] = 0;
#ifndef SL_TWIN
  if (i >= n) return;
#endif
  __syncwarp();
  const int x = i < n ? in[i] : 0;
  s[t] = x;
  __syncthreads();
  for (int offset = 1; offset < TILE; offset *= 2) {
    const int left = t >= offset ? s[t - offset] : 0;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  if (i < n) out[i] = s[t] - x;
  if (i == n - 1 || t == TILE - 1) sums[blockIdx.x] = s[t];
}

static cudaError_t run(const int *in, int *out, int n) { return three_launches(first, in, out, n); }
