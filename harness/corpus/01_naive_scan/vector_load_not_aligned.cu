// expect: memory.misaligned at 12
// Two elements a load, from the second element on: the pair does not lie at a multiple of 8 bytes.
#include "../corpus.h"

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
#ifndef SL_TWIN
  if (t < 31) {
    const int2 two = reinterpret_cast<const int2 *>(in + 1)[t];
    s[2 * t + 1] = two.x;
    s[2 * t + 2] = two.y;
  }
  if (t == 0) s[0] = in[0], s[63] = in[63];
#else
  if (t < 32) {
    const int2 two = reinterpret_cast<const int2 *>(in)[t];
    s[2 * t] = two.x;
    s[2 * t + 1] = two.y;
  }
#endif
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const int left = t >= offset ? s[t - offset] : 0;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  out[t] = s[t];
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, n); }
