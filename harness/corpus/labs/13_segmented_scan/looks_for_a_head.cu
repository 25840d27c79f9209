// Right, in another style: warps scan by shuffles, and a tile walks back over totals until it meets a head.
#include "scanlab/lab.h"

const int BLOCK = 512, WARPS = BLOCK / 32;

struct tile_sum {
  int sum;
  int head;
};

// Sum of the own segment from its head, or from lane 0, to this lane; `heads` says which lanes begin one.
__device__ int sum_in_warp(int x, unsigned heads, int lane) {
  unsigned upto = heads & (0xffffffffu >> (31 - lane));
  int first = upto ? 31 - __clz(upto) : 0;
  for (int d = 1; d < 32; d *= 2) {
    int left = __shfl_up_sync(0xffffffffu, x, d);
    if (lane - d >= first) x += left;
  }
  return x;
}

// The same for the whole block. *any: a segment begins in the block up to this thread.
__device__ int sum_in_block(int x, bool head, bool *any) {
  __shared__ int sums[WARPS], begun[WARPS];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned heads = __ballot_sync(0xffffffffu, head);
  int sum = sum_in_warp(x, heads, lane);
  if (lane == 31) sums[warp] = sum, begun[warp] = heads != 0;
  __syncthreads();
  *any = (heads & (0xffffffffu >> (31 - lane))) != 0;
  for (int k = warp - 1; k >= 0 && !*any; k--) sum += sums[k], *any = begun[k] != 0;
  return sum;
}

__global__ void tile_sums(const uint32_t *heads, const int32_t *in, tile_sum *tiles, size_t n) {
  size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
  bool any;
  int sum = sum_in_block(i < n ? in[i] : 0, i < n && heads[i], &any);
  if (threadIdx.x == BLOCK - 1) tiles[blockIdx.x] = {sum, any};
}

__global__ void all_sums(const uint32_t *heads, const int32_t *in, int32_t *out, const tile_sum *tiles, size_t n) {
  __shared__ int before;
  size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
  if (threadIdx.x == 0) {
    bool met = false;
    before = 0;
    for (unsigned k = blockIdx.x; k-- > 0 && !met;) before += tiles[k].sum, met = tiles[k].head;
  }
  bool any;
  int sum = sum_in_block(i < n ? in[i] : 0, i < n && heads[i], &any);
  if (i < n) out[i] = any ? sum : before + sum;
}

extern "C" cudaError_t lab13_segmented_scan(const uint32_t *heads, const int32_t *in, int32_t *out, size_t n) {
  if (n == 0) return cudaSuccess;
  unsigned blocks = (unsigned)((n + BLOCK - 1) / BLOCK);
  tile_sum *tiles;
  SL_CUDA(cudaMalloc(&tiles, blocks * sizeof *tiles));
  tile_sums<<<blocks, BLOCK>>>(heads, in, tiles, n);
  all_sums<<<blocks, BLOCK>>>(heads, in, out, tiles, n);
  cudaError_t err = cudaGetLastError();
  cudaFree(tiles);
  return err;
}
