// Right, in another style: a word of votes for each 32 elements, kept in memory; each block counts the bits
// in front of its words, and the bits place the elements.
#include "scanlab/lab.h"

constexpr int T = 512, PER = 4, SPAN = T * PER; // elements a block, 64 mask words

__global__ void vote(const int32_t *in, uint32_t *mask, uint32_t *group, size_t n) {
  __shared__ uint32_t kept;
  if (threadIdx.x == 0) kept = 0;
  __syncthreads();
  for (int k = 0; k < PER; k++) {
    const size_t i = size_t(blockIdx.x) * SPAN + k * T + threadIdx.x;
    const uint32_t m = __ballot_sync(~0u, i < n && in[i] != 0);
    if (threadIdx.x % 32 == 0) {
      mask[i / 32] = m;
      atomicAdd(&kept, __popc(m));
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) group[blockIdx.x] = kept;
}

__device__ uint32_t before_me(uint32_t x, uint32_t *all) {
  __shared__ uint32_t w[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  uint32_t s = x;
  for (unsigned d = 1; d < 32; d *= 2) {
    const uint32_t l = __shfl_up_sync(~0u, s, d);
    if (lane >= d) s += l;
  }
  __syncthreads(); // of an earlier round
  if (lane == 31) w[warp] = s;
  __syncthreads();
  uint32_t b = 0;
  *all = 0;
  for (unsigned k = 0; k < blockDim.x / 32; k++) {
    if (k < warp) b += w[k];
    *all += w[k];
  }
  return b + s - x;
}

__global__ void groups(uint32_t *group, uint32_t *count, unsigned many) {
  uint32_t run = 0, all;
  for (unsigned f = 0; f < many; f += blockDim.x) {
    const unsigned i = f + threadIdx.x;
    const uint32_t own = i < many ? group[i] : 0, b = before_me(own, &all);
    if (i < many) group[i] = run + b;
    run += all;
  }
  if (threadIdx.x == 0) *count = run;
}

__global__ void place(const int32_t *in, int32_t *out, const uint32_t *mask, const uint32_t *group,
                      size_t n) {
  __shared__ uint32_t at[SPAN / 32];
  const size_t word = size_t(blockIdx.x) * (SPAN / 32) + threadIdx.x;
  uint32_t all, m = 0;
  if (threadIdx.x < SPAN / 32 && word * 32 < n) m = mask[word];
  const uint32_t b = before_me(__popc(m), &all) + group[blockIdx.x];
  if (threadIdx.x < SPAN / 32) at[threadIdx.x] = b;
  __syncthreads();
  for (int k = 0; k < PER; k++) {
    const int j = k * T + threadIdx.x;
    const size_t i = size_t(blockIdx.x) * SPAN + j;
    if (i >= n) break;
    const uint32_t w = mask[i / 32], bit = j % 32;
    if (w >> bit & 1) out[at[j / 32] + __popc(w & ((1u << bit) - 1))] = in[i];
  }
}

extern "C" cudaError_t lab11_compaction(const int32_t *d_in, int32_t *d_out, uint32_t *d_count, size_t n) {
  if (n == 0) return cudaSuccess;
  const unsigned many = unsigned((n + SPAN - 1) / SPAN);
  uint32_t *mask, *group;
  SL_CUDA(cudaMalloc(&mask, size_t(many) * (SPAN / 32) * 4));
  cudaError_t e = cudaMalloc(&group, many * 4);
  if (!e) {
    vote<<<many, T>>>(d_in, mask, group, n);
    groups<<<1, T>>>(group, d_count, many);
    place<<<many, T>>>(d_in, d_out, mask, group, n);
    e = cudaGetLastError();
    cudaFree(group);
  }
  cudaFree(mask);
  return e;
}
