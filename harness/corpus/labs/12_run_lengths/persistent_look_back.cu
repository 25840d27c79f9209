// Right, in another style: blocks that stay draw tiles of 2048 in turn; aggregates, prefixes and flags are
// three arrays with fences between, and a warp looks back over 32 tiles at a time. The start of the last run
// before a tile goes along, so one kernel does all.
#include "scanlab/lab.h"

namespace {
enum { THREADS = 256, EACH = 8, TILE = THREADS * EACH, STAY = 24, WARPS = THREADS / 32 };
struct part {
  uint32_t runs, last; // heads, and the place of the last one + 1 (0: none)
};
__device__ part join(part a, part b) { return {a.runs + b.runs, b.last ? b.last : a.last}; }
__device__ part shift_up(part p, int o) {
  return {__shfl_up_sync(~0u, p.runs, o), __shfl_up_sync(~0u, p.last, o)};
}
__device__ part shift_down(part p, int o) {
  return {__shfl_down_sync(~0u, p.runs, o), __shfl_down_sync(~0u, p.last, o)};
}

struct state {
  unsigned *ticket;
  volatile unsigned *flag; // 1: own is there; 2: all is there, too
  part *own, *all;
};

__device__ part look_back(state st, unsigned tile, part own) { // by warp 0
  const unsigned lane = threadIdx.x;
  if (lane == 0) {
    (tile ? st.own : st.all)[tile] = own;
    __threadfence();
    st.flag[tile] = tile ? 1 : 2;
  }
  part before = {0, 0};
  for (int end = (int)tile - 1; end >= 0; end -= 32) {
    const int k = end - (int)lane;
    unsigned f = 2;
    if (k >= 0)
      while ((f = st.flag[k]) == 0) {
      }
    __threadfence();
    const unsigned full = __ballot_sync(~0u, f == 2);
    const unsigned stop = full ? __ffs(full) - 1 : 31;
    part p = {0, 0};
    if (k >= 0 && lane <= stop) p = f == 2 ? st.all[k] : st.own[k];
    for (int o = 1; o < 32; o += o) { // lane 0 is the nearest: what is farther comes first
      const part far = shift_down(p, o);
      if (lane + o < 32) p = join(far, p);
    }
    p = {__shfl_sync(~0u, p.runs, 0), __shfl_sync(~0u, p.last, 0)};
    before = join(p, before);
    if (full) break;
  }
  if (lane == 0 && tile) {
    st.all[tile] = join(before, own);
    __threadfence();
    st.flag[tile] = 2;
  }
  return before;
}

__global__ void __launch_bounds__(THREADS) encode(const int32_t *in, int32_t *values, uint32_t *lengths,
                                                  uint32_t *count, size_t n, unsigned tiles, state st) {
  __shared__ unsigned s_tile;
  __shared__ part s_warp[WARPS], s_before;
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (;;) {
    if (threadIdx.x == 0) s_tile = atomicAdd(st.ticket, 1);
    __syncthreads();
    const unsigned tile = s_tile;
    if (tile >= tiles) return;
    const size_t i = (size_t)tile * TILE + (size_t)warp * 32 * EACH + lane; // warp-striped
    unsigned heads[EACH];
    int32_t x[EACH];
    part mine = {0, 0};
    for (int k = 0; k < EACH; k++) {
      const size_t at = i + 32 * k;
      x[k] = at < n ? in[at] : 0;
      const bool head = at < n && (at == 0 || in[at - 1] != x[k]);
      heads[k] = __ballot_sync(~0u, head);
      mine.runs += __popc(heads[k]);
      if (heads[k]) mine.last = (uint32_t)(i - lane + 32 * k + 32 - __clz(heads[k]));
    }
    if (lane == 0) s_warp[warp] = mine;
    __syncthreads();
    if (warp == 0) {
      part all = lane < WARPS ? s_warp[lane] : part{0, 0};
      for (int o = 1; o < WARPS; o += o) {
        const part left = shift_up(all, o);
        if (lane >= o) all = join(left, all);
      }
      if (lane < WARPS) s_warp[lane] = all;
      all = {__shfl_sync(~0u, all.runs, WARPS - 1), __shfl_sync(~0u, all.last, WARPS - 1)};
      const part b = look_back(st, tile, all);
      if (lane == 0) s_before = b;
    }
    __syncthreads();
    part left = warp ? join(s_before, s_warp[warp - 1]) : s_before;
    for (int k = 0; k < EACH; k++) {
      const size_t at = i + 32 * k;
      const unsigned below = heads[k] & ((1u << lane) - 1);
      if (heads[k] >> lane & 1) {
        const uint32_t run = left.runs + __popc(below);
        const uint32_t last = below ? (uint32_t)(at - lane + 32 - __clz(below)) : left.last;
        values[run] = x[k];
        if (run) lengths[run - 1] = (uint32_t)at + 1 - last;
      }
      if (heads[k]) left = {left.runs + __popc(heads[k]), (uint32_t)(at - lane + 32 - __clz(heads[k]))};
      if (at == n - 1) lengths[left.runs - 1] = (uint32_t)n + 1 - left.last, *count = left.runs;
    }
    __syncthreads();
  }
}
} // namespace

extern "C" cudaError_t lab12_run_lengths(const int32_t *d_in, int32_t *d_values, uint32_t *d_lengths,
                                         uint32_t *d_count, size_t n) {
  if (n == 0) return cudaSuccess;
  const unsigned tiles = unsigned((n + TILE - 1) / TILE);
  char *m;
  const size_t bytes = 16 + tiles * (2 * sizeof(part) + 4);
  SL_CUDA(cudaMalloc(&m, bytes));
  SL_CUDA(cudaMemsetAsync(m, 0, bytes));
  part *p = reinterpret_cast<part *>(m + 16);
  state st = {reinterpret_cast<unsigned *>(m), reinterpret_cast<unsigned *>(p + 2 * tiles), p, p + tiles};
  const unsigned blocks = tiles < STAY ? tiles : STAY;
  encode<<<blocks, THREADS>>>(d_in, d_values, d_lengths, d_count, n, tiles, st);
  const cudaError_t e = cudaGetLastError(), f = cudaFree(m);
  return e ? e : f;
}
