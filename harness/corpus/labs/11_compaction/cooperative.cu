// Right, in another style: one cooperative launch. Each block has a stretch of tiles, and walks it twice;
// between the two the grid waits for all blocks' counts. Up to 160 blocks poll one word there, however
// often the simulated GPU lets them look.
#include "scanlab/lab.h"

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

namespace {
enum { THREADS = 256, MOST_BLOCKS = 160 };

// How many of the block's flags are set before this thread's; *all: in the whole block.
__device__ uint32_t before_me(bool flag, uint32_t *all) {
  __shared__ uint32_t of_warp[THREADS / 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, votes = __ballot_sync(~0u, flag);
  if (lane == 0) of_warp[warp] = __popc(votes);
  *all = __syncthreads_count(flag);
  uint32_t before = __popc(votes & ((1u << lane) - 1));
  for (unsigned w = 0; w < warp; w++) before += of_warp[w];
  __syncthreads();
  return before;
}

__global__ void __launch_bounds__(THREADS)
    compact(const int32_t *in, int32_t *out, uint32_t *count, uint32_t *counts, size_t n) {
  __shared__ uint32_t sum;
  const size_t tiles = (n + THREADS - 1) / THREADS, each = (tiles + gridDim.x - 1) / gridDim.x;
  const size_t first = blockIdx.x * each * THREADS, end = min(first + each * THREADS, n);
  uint32_t kept = 0, all;
  for (size_t at = first; at < end; at += THREADS) {
    const size_t i = at + threadIdx.x;
    kept += __syncthreads_count(i < end && in[i] != 0);
  }
  if (threadIdx.x == 0) counts[blockIdx.x] = kept;
  cg::this_grid().sync();
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  if (threadIdx.x < blockIdx.x) atomicAdd_block(&sum, counts[threadIdx.x]);
  __syncthreads();
  uint32_t place = sum;
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) *count = place + kept;
  for (size_t at = first; at < end; at += THREADS) {
    const size_t i = at + threadIdx.x;
    const bool flag = i < end && in[i] != 0;
    const uint32_t before = before_me(flag, &all);
    if (flag) out[place + before] = in[i];
    place += all;
  }
}
} // namespace

extern "C" cudaError_t lab11_compaction(const int32_t *d_in, int32_t *d_out, uint32_t *d_count, size_t n) {
  if (n == 0) return cudaSuccess;
  const size_t tiles = (n + THREADS - 1) / THREADS;
  const unsigned blocks = tiles < MOST_BLOCKS ? tiles : MOST_BLOCKS;
  uint32_t *counts;
  SL_CUDA(cudaMalloc(&counts, blocks * sizeof *counts));
  void *args[] = {&d_in, &d_out, &d_count, &counts, &n};
  const cudaError_t error =
      cudaLaunchCooperativeKernel((const void *)compact, blocks, THREADS, args, 0, nullptr);
  const cudaError_t freed = cudaFree(counts);
  return error != cudaSuccess ? error : freed;
}
