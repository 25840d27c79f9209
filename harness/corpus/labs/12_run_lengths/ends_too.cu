// Right, in another style: ballots number the heads, and n itself stands behind the last start.
#include "scanlab/lab.h"

const int BLOCK = 128;

__global__ void count_heads(const int32_t *in, uint32_t *counts, size_t n) {
  size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
  int heads = __syncthreads_count(i < n && (i == 0 || in[i] != in[i - 1]));
  if (threadIdx.x == 0) counts[blockIdx.x] = heads;
}

// Each head stores its value and its start; the last element the end of all.
__global__ void store_heads(const int32_t *in, int32_t *values, uint32_t *starts, const uint32_t *counts, uint32_t *count,
                            size_t n) {
  __shared__ uint32_t base, warps[BLOCK / 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
  if (threadIdx.x == 0) base = 0;
  bool head = i < n && (i == 0 || in[i] != in[i - 1]);
  unsigned heads = __ballot_sync(0xffffffffu, head);
  if (lane == 0) warps[warp] = __popc(heads);
  __syncthreads();
  uint32_t before = 0;
  for (unsigned k = threadIdx.x; k < blockIdx.x; k += BLOCK) before += counts[k];
  atomicAdd(&base, before);
  __syncthreads();
  uint32_t run = base + __popc(heads & ((1u << lane) - 1));
  for (unsigned k = 0; k < warp; k++) run += warps[k];
  if (head) values[run] = in[i], starts[run] = (uint32_t)i;
  if (i == n - 1) {
    *count = run + head;
    starts[run + head] = (uint32_t)n;
  }
}

__global__ void subtract(const uint32_t *starts, uint32_t *lengths, const uint32_t *count) {
  uint32_t run = blockIdx.x * BLOCK + threadIdx.x;
  if (run < *count) lengths[run] = starts[run + 1] - starts[run];
}

extern "C" cudaError_t lab12_run_lengths(const int32_t *d_in, int32_t *d_values, uint32_t *d_lengths, uint32_t *d_count,
                                         size_t n) {
  if (n == 0) return cudaSuccess;
  unsigned tiles = (unsigned)((n + BLOCK - 1) / BLOCK);
  uint32_t *counts, *starts;
  SL_CUDA(cudaMalloc(&counts, tiles * sizeof *counts));
  SL_CUDA(cudaMalloc(&starts, (n + 1) * sizeof *starts));
  count_heads<<<tiles, BLOCK>>>(d_in, counts, n);
  store_heads<<<tiles, BLOCK>>>(d_in, d_values, starts, counts, d_count, n);
  subtract<<<tiles, BLOCK>>>(starts, d_lengths, d_count);
  cudaError_t err = cudaGetLastError();
  cudaFree(counts);
  cudaFree(starts);
  return err;
}
