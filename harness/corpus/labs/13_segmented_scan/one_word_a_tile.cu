// Right, in another style: one launch. State, head and sum of a tile are one word, and a tile with a head
// ends the look back at once.
#include "scanlab/lab.h"

typedef unsigned long long u64;
constexpr int T = 512;
struct board {
  unsigned next, pad;
  u64 word[1];
};
__device__ u64 pack(unsigned state, unsigned head, uint32_t sum) {
  return u64(state) << 40 | u64(head) << 32 | sum;
}
__global__ void segs(const uint32_t *heads, const int32_t *in, int32_t *out, board *b, size_t n) {
  __shared__ unsigned tile_, any[T / 32];
  __shared__ uint32_t sum[T / 32], carry_;
  const unsigned t = threadIdx.x, lane = t & 31, w = t >> 5;
  if (t == 0) tile_ = atomicAdd(&b->next, 1);
  __syncthreads();
  const unsigned tile = tile_;
  const size_t i = size_t(tile) * T + t;
  uint32_t x = i < n ? in[i] : 0;
  const unsigned v = __ballot_sync(~0u, i < n && heads[i]);
  const unsigned mine = v & (~0u >> (31 - lane));
  const unsigned reach = mine ? lane - (31 - __clz(mine)) : lane;
  for (unsigned d = 1; d < 32; d *= 2) {
    const uint32_t l = __shfl_up_sync(~0u, x, d);
    if (d <= reach) x += l;
  }
  if (lane == 31) any[w] = v, sum[w] = x;
  __syncthreads();
  if (w == 0) {
    uint32_t s = lane < T / 32 ? sum[lane] : 0;
    const unsigned h = __ballot_sync(~0u, lane < T / 32 && any[lane]);
    const unsigned hm = h & (~0u >> (31 - lane)), r = hm ? lane - (31 - __clz(hm)) : lane;
    for (unsigned d = 1; d < T / 32; d *= 2) {
      const uint32_t l = __shfl_up_sync(~0u, s, d);
      if (d <= r) s += l;
    }
    if (lane < T / 32) sum[lane] = s;
    const uint32_t all = __shfl_sync(~0u, s, T / 32 - 1);
    volatile u64 *word = b->word;
    const bool closed = h != 0 || tile == 0; // nothing before it matters to those behind it
    if (lane == 0) word[tile] = pack(closed ? 2 : 1, h != 0, all);
    uint32_t before = 0;
    for (int top = int(tile) - 1; top >= 0; top -= 32) {
      const int k = top - int(lane);
      u64 y = u64(2) << 40;
      if (k >= 0)
        while (((y = word[k]) >> 40) == 0) __nanosleep(8);
      const unsigned done = __ballot_sync(~0u, y >> 40 == 2);
      uint32_t part = !done || lane <= unsigned(__ffs(done) - 1) ? uint32_t(y) : 0;
      for (int d = 16; d; d /= 2) part += __shfl_xor_sync(~0u, part, d);
      before += part;
      if (done) break;
    }
    if (lane == 0) {
      if (!closed) word[tile] = pack(2, 0, before + all);
      carry_ = before;
    }
  }
  __syncthreads();
  if (reach == lane && !mine) { // the warp's own part of the segment begins further left
    unsigned h = 0;
    for (unsigned k = 0; k < w; k++) h |= any[k];
    if (w) x += sum[w - 1];
    if (!h) x += carry_;
  }
  if (i < n) out[i] = x;
}
extern "C" cudaError_t lab13_segmented_scan(const uint32_t *d_heads, const int32_t *d_in, int32_t *d_out,
                                            size_t n) {
  if (n == 0) return cudaSuccess;
  const unsigned tiles = unsigned((n + T - 1) / T);
  board *b;
  SL_CUDA(cudaMalloc(&b, sizeof *b + tiles * 8));
  SL_CUDA(cudaMemset(b, 0, sizeof *b + tiles * 8));
  segs<<<tiles, T>>>(d_heads, d_in, d_out, b, n);
  const cudaError_t e = cudaGetLastError(), f = cudaFree(b);
  return e ? e : f;
}
