// Right, in another style: warps count by ballots, tiles find their offsets by adding up the counts before
// them, and atomics add up all of them, where one is not 0.
#include "scanlab/lab.h"

const int BLOCK = 512, WARPS = BLOCK / 32;

__global__ void count_tiles(const int32_t *in, uint32_t *counts, uint32_t *count, size_t n) {
  size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
  int kept = __syncthreads_count(i < n && in[i] != 0);
  if (threadIdx.x == 0) counts[blockIdx.x] = kept;
  if (threadIdx.x == 0 && kept) atomicAdd(count, kept);
}

__global__ void move_kept(const int32_t *in, int32_t *out, const uint32_t *counts, size_t n) {
  __shared__ uint32_t base, warps[WARPS];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
  if (threadIdx.x == 0) base = 0;
  int32_t x = i < n ? in[i] : 0;
  unsigned kept = __ballot_sync(0xffffffffu, x != 0);
  if (lane == 0) warps[warp] = __popc(kept);
  __syncthreads();
  uint32_t before = 0;
  for (unsigned k = threadIdx.x; k < blockIdx.x; k += BLOCK) before += counts[k];
  for (int k = 16; k > 0; k /= 2) before += __shfl_down_sync(0xffffffffu, before, k);
  if (lane == 0) atomicAdd(&base, before);
  __syncthreads();
  uint32_t place = base + __popc(kept & ((1u << lane) - 1));
  for (unsigned k = 0; k < warp; k++) place += warps[k];
  if (x != 0) out[place] = x;
}

extern "C" cudaError_t lab11_compaction(const int32_t *d_in, int32_t *d_out, uint32_t *d_count, size_t n) {
  if (n == 0) return cudaSuccess;
  unsigned tiles = (unsigned)((n + BLOCK - 1) / BLOCK);
  uint32_t *counts;
  SL_CUDA(cudaMalloc(&counts, tiles * sizeof *counts));
  SL_CUDA(cudaMemsetAsync(d_count, 0, sizeof *d_count));
  count_tiles<<<tiles, BLOCK>>>(d_in, counts, d_count, n);
  move_kept<<<tiles, BLOCK>>>(d_in, d_out, counts, n);
  cudaError_t err = cudaGetLastError();
  cudaFree(counts);
  return err;
}
