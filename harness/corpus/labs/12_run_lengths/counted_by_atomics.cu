// Right, in another style: the number of each element's run is an inclusive scan of the heads (one
// cooperative launch, strips of the grid), and lengths are counted by atomics, one for each stretch of a
// warp that has the same run.
#include "scanlab/lab.h"
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__global__ void encode(const int32_t *in, int32_t *values, uint32_t *lengths, uint32_t *count, uint32_t *sums,
                       size_t n) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  __shared__ uint32_t s[32];
  const size_t share = (n + gridDim.x - 1) / gridDim.x, first = blockIdx.x * share,
               end = first + share < n ? first + share : n;
  auto head = [&](size_t i) { return i < end && (i == 0 || in[i] != in[i - 1]) ? 1u : 0u; };
  uint32_t mine = 0;
  for (size_t i = first + threadIdx.x; i < end; i += blockDim.x) {
    mine += head(i);
    lengths[i] = 0;
  }
  mine = cg::inclusive_scan(warp, mine);
  if (warp.thread_rank() == 31) s[warp.meta_group_rank()] = mine;
  block.sync();
  if (threadIdx.x == 0) {
    uint32_t all = 0;
    for (unsigned w = 0; w < warp.meta_group_size(); w++) all += s[w];
    sums[blockIdx.x] = all;
  }
  grid.sync();
  uint32_t before = 0;
  for (unsigned b = 0; b < blockIdx.x; b++) before += sums[b];
  for (size_t at = first; at < end; at += blockDim.x) {
    const size_t i = at + threadIdx.x;
    const uint32_t h = head(i), upto = cg::inclusive_scan(warp, h);
    block.sync();
    if (warp.thread_rank() == 31) s[warp.meta_group_rank()] = upto;
    block.sync();
    uint32_t run = before + upto, all = 0;
    for (unsigned w = 0; w < warp.meta_group_size(); w++) {
      if (w < warp.meta_group_rank()) run += s[w];
      all += s[w];
    }
    before += all;
    if (h) values[run - 1] = in[i];
    const unsigned here = __ballot_sync(~0u, i < end);
    if (i < end) {
      const unsigned same = __match_any_sync(here, run);
      if (warp.thread_rank() == __ffs(same) - 1) atomicAdd(&lengths[run - 1], (uint32_t)__popc(same));
      if (i == n - 1) *count = run;
    }
  }
}

extern "C" cudaError_t lab12_run_lengths(const int32_t *d_in, int32_t *d_values, uint32_t *d_lengths,
                                         uint32_t *d_count, size_t n) {
  if (n == 0) return cudaSuccess;
  int per = 0, sms = 0, threads = 256;
  SL_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  SL_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, encode, threads, 0));
  size_t blocks = (n + 511) / 512;
  if (blocks > (size_t)per * sms) blocks = (size_t)per * sms;
  uint32_t *sums;
  SL_CUDA(cudaMalloc(&sums, blocks * sizeof *sums));
  void *args[] = {&d_in, &d_values, &d_lengths, &d_count, &sums, &n};
  cudaError_t e = cudaLaunchCooperativeKernel((void *)encode, dim3((unsigned)blocks), dim3(threads), args);
  const cudaError_t f = cudaFree(sums);
  return e ? e : f;
}
