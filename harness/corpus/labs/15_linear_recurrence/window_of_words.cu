// Right, in another style: one launch. A map and whether it is there are two 64-bit words, a half each; a
// warp looks back at 32 tiles at a time, over totals and, where there is one, the nearest prefix.
#include "scanlab/lab.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

namespace {
typedef unsigned long long word; // bit 32: it is there; below: a or b
enum { THREADS = 128, EACH = 8, TILE = THREADS * EACH, WARPS = THREADS / 32 };

__device__ uint2 then(uint2 f, uint2 g) { return make_uint2(f.x * g.x, f.y * g.x + g.y); }

__device__ void put(word *to, uint2 m) {
  atomicExch(to, 1ull << 32 | m.x);
  atomicExch(to + 1, 1ull << 32 | m.y);
}

__device__ bool get(const word *from, uint2 *m) {
  const word a = *(const volatile word *)from, b = *(const volatile word *)(from + 1);
  *m = make_uint2((uint32_t)a, (uint32_t)b);
  return (a & b) >> 32;
}

// What stands before the tile, by a whole warp. Lane 0 looks at the nearest tile.
__device__ uint2 look_back(const word *totals, const word *prefixes, long long tile) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  uint2 before = make_uint2(1, 0);
  bool found = tile == 0;
  for (long long right = tile - 1; !found; right -= 32) {
    const long long at = right - warp.thread_rank();
    uint2 m = make_uint2(1, 0);
    bool prefix = at < 0;
    while (at >= 0 && !(prefix = get(prefixes + 2 * at, &m)) && !get(totals + 2 * at, &m)) {
    }
    const unsigned there = warp.ballot(prefix);
    if (there && warp.thread_rank() > (unsigned)__ffs(there) - 1) m = make_uint2(1, 0);
    for (unsigned d = 1; d < 32; d *= 2) {
      const uint2 left = make_uint2(warp.shfl_down(m.x, d), warp.shfl_down(m.y, d));
      if (warp.thread_rank() + d < 32) m = then(left, m);
    }
    before = then(make_uint2(warp.shfl(m.x, 0), warp.shfl(m.y, 0)), before);
    found = there != 0;
  }
  return before;
}

// The maps of the threads before this one in the block, put together; *total: of all.
__device__ uint2 scan_block(uint2 own, uint2 *s_warp, uint2 *total) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  for (unsigned d = 1; d < 32; d *= 2) {
    const uint2 left = make_uint2(warp.shfl_up(own.x, d), warp.shfl_up(own.y, d));
    if (warp.thread_rank() >= d) own = then(left, own);
  }
  if (warp.thread_rank() == 31) s_warp[warp.meta_group_rank()] = own;
  __syncthreads();
  uint2 before = make_uint2(1, 0), all = make_uint2(1, 0);
  for (unsigned w = 0; w < WARPS; w++) {
    if (w == warp.meta_group_rank()) before = all;
    all = then(all, s_warp[w]);
  }
  *total = all;
  const uint2 left = make_uint2(warp.shfl_up(own.x, 1), warp.shfl_up(own.y, 1));
  return warp.thread_rank() ? then(before, left) : before;
}

__global__ void recurrence(const uint32_t *a, const uint32_t *b, uint32_t *out, size_t n, word *ticket,
                           word *totals, word *prefixes) {
  __shared__ uint2 s[TILE], s_warp[WARPS], s_before;
  __shared__ unsigned s_tile;
  const unsigned t = threadIdx.x;
  if (t == 0) s_tile = (unsigned)atomicAdd(ticket, 1);
  __syncthreads();
  const size_t tile = s_tile, base = tile * TILE;
  for (unsigned k = t; k < TILE; k += THREADS)
    s[k] = base + k < n ? make_uint2(__ldg(a + base + k), __ldg(b + base + k)) : make_uint2(1, 0);
  __syncthreads();
  uint2 own = s[t * EACH], total;
  for (int k = 1; k < EACH; k++) own = then(own, s[t * EACH + k]);
  uint2 run = scan_block(own, s_warp, &total);
  if (t < 32) {
    if (t == 0) put(totals + 2 * tile, total);
    const uint2 before = look_back(totals, prefixes, (long long)tile);
    if (t == 0) put(prefixes + 2 * tile, then(before, total)), s_before = before;
  }
  __syncthreads();
  run = then(s_before, run);
  for (int k = 0; k < EACH; k++) s[t * EACH + k] = run = then(run, s[t * EACH + k]);
  __syncthreads();
  for (unsigned k = t; k < TILE && base + k < n; k += THREADS) __stcg(out + base + k, s[k].y);
}
} // namespace

extern "C" cudaError_t lab15_linear_recurrence(const uint32_t *d_a, const uint32_t *d_b, uint32_t *d_out,
                                               size_t n) {
  if (n == 0) return cudaSuccess;
  const size_t tiles = (n + TILE - 1) / TILE, bytes = (1 + 4 * tiles) * sizeof(word);
  word *words;
  SL_CUDA(cudaMallocAsync(&words, bytes, 0));
  cudaError_t err = cudaMemsetAsync(words, 0, bytes, 0);
  recurrence<<<(unsigned)tiles, THREADS>>>(d_a, d_b, d_out, n, words, words + 1, words + 1 + 2 * tiles);
  if (!err) err = cudaGetLastError();
  const cudaError_t freed = cudaFreeAsync(words, 0);
  return err ? err : freed;
}
