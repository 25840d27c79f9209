// Right, in another style: rows are segments of one long scan, in a single launch: tiles look back, and stop
// where a row begins. Columns are chains of tiles, 32 columns by 32 rows, each waiting for the tile above.
// Tickets number both, flags are released and acquired.
#include "scanlab/lab.h"
#include <cuda/atomic>

namespace {
typedef cuda::atomic_ref<uint32_t, cuda::thread_scope_device> word;
typedef cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> two_words;
enum { T = 256, EACH = 4, TILE = T * EACH };

// bits 63, 62: what is known (0 nothing, 1 the tile's own, 2 everything); bit 32: a row begins in it; sum
__device__ unsigned long long pack(unsigned known, bool head, uint32_t sum) {
  return (unsigned long long)known << 62 | (unsigned long long)head << 32 | sum;
}

__global__ void along_rows(const uint32_t *in, uint32_t *out, size_t n, size_t width,
                           unsigned long long *state, uint32_t *ticket) {
  __shared__ uint32_t s_tile, s_before, s_sum[T / 32];
  __shared__ bool s_head[T / 32];
  if (threadIdx.x == 0) s_tile = word(*ticket).fetch_add(1, cuda::memory_order_relaxed);
  __syncthreads();
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const size_t i = (size_t)s_tile * TILE + (size_t)warp * 32 * EACH + lane;
  uint32_t x[EACH];
  bool heads[EACH]; // between here and the left end of the warp's run
  uint32_t sum = 0;
  bool head = false;
  for (int k = 0; k < EACH; k++) {
    const size_t at = i + 32 * k;
    x[k] = at < n ? in[at] : 0;
    bool h = at % width == 0;
    uint32_t v = x[k];
    for (int o = 1; o < 32; o *= 2) {
      const uint32_t l = __shfl_up_sync(~0u, v, o);
      const bool lh = __shfl_up_sync(~0u, (int)h, o);
      if (lane >= o) v = h ? v : l + v, h = h || lh;
    }
    x[k] = h ? v : sum + v, heads[k] = head || h;
    const uint32_t lv = __shfl_sync(~0u, x[k], 31);
    const bool lh = __shfl_sync(~0u, (int)heads[k], 31);
    sum = lv, head = lh;
  }
  if (lane == 0) s_sum[warp] = sum, s_head[warp] = head;
  __syncthreads();
  uint32_t left = 0;
  bool cut = false;
  for (unsigned w = 0; w < warp; w++) left = s_head[w] ? s_sum[w] : left + s_sum[w], cut = cut || s_head[w];
  if (threadIdx.x == T - 1) { // has all of the tile before it
    const uint32_t all = head ? sum : left + sum;
    const bool any = cut || head;
    uint32_t before = 0;
    two_words own(state[s_tile]);
    if (s_tile == 0) own.store(pack(2, any, all), cuda::memory_order_release);
    else {
      own.store(pack(any ? 2 : 1, any, all), cuda::memory_order_release);
      for (int k = (int)s_tile - 1;; k--) {
        unsigned long long w;
        while (!((w = two_words(state[k]).load(cuda::memory_order_acquire)) >> 62)) {
        }
        before += (uint32_t)w;
        if (w >> 63 || k == 0) break;
      }
      if (!any) own.store(pack(2, false, before + all), cuda::memory_order_release);
    }
    s_before = before;
  }
  __syncthreads();
  for (int k = 0; k < EACH; k++) {
    const size_t at = i + 32 * k;
    const uint32_t from_left = heads[k] ? 0 : cut ? left : s_before + left;
    if (at < n) out[at] = from_left + x[k];
  }
}

__global__ void along_columns(uint32_t *t, size_t n, size_t width, unsigned strips, uint32_t *flags,
                              uint32_t *sums, uint32_t *ticket) {
  __shared__ uint32_t s[32][33], s_above[32], s_tile;
  if (threadIdx.x == 0 && threadIdx.y == 0) s_tile = word(*ticket).fetch_add(1, cuda::memory_order_relaxed);
  __syncthreads();
  const unsigned strip = s_tile % strips, level = s_tile / strips;
  const size_t x = (size_t)strip * 32 + threadIdx.x;
  for (unsigned y = threadIdx.y; y < 32; y += 8) {
    const size_t i = ((size_t)level * 32 + y) * width + x;
    s[y][threadIdx.x] = x < width && i < n ? t[i] : 0;
  }
  __syncthreads();
  for (unsigned c = threadIdx.y; c < 32; c += 8) { // a warp scans a column
    uint32_t v = s[threadIdx.x][c];
    for (int o = 1; o < 32; o *= 2) {
      const uint32_t up = __shfl_up_sync(~0u, v, o);
      if (threadIdx.x >= o) v += up;
    }
    s[threadIdx.x][c] = v;
  }
  __syncthreads();
  if (threadIdx.y == 0) {
    uint32_t above = 0;
    if (level) {
      while (!word(flags[s_tile - strips]).load(cuda::memory_order_acquire)) {
      }
      above = sums[(size_t)(s_tile - strips) * 32 + threadIdx.x];
    }
    sums[(size_t)s_tile * 32 + threadIdx.x] = above + s[31][threadIdx.x];
    __syncwarp();
    if (threadIdx.x == 0) {
      __threadfence();
      word(flags[s_tile]).store(1, cuda::memory_order_release);
    }
    s_above[threadIdx.x] = above;
  }
  __syncthreads();
  for (unsigned y = threadIdx.y; y < 32; y += 8) {
    const size_t i = ((size_t)level * 32 + y) * width + x;
    if (x < width && i < n) t[i] = s_above[threadIdx.x] + s[y][threadIdx.x];
  }
}
} // namespace

extern "C" cudaError_t lab14_summed_area(const uint32_t *d_in, uint32_t *d_out, size_t n, size_t width) {
  if (n == 0) return cudaSuccess;
  const size_t tiles = (n + TILE - 1) / TILE, strips = (width + 31) / 32,
               levels = ((n + width - 1) / width + 31) / 32, both = strips * levels;
  unsigned long long *m;
  const size_t cleared = tiles * 8 + (both + 2) * 4;
  SL_CUDA(cudaMalloc(&m, cleared + both * 128));
  SL_CUDA(cudaMemsetAsync(m, 0, cleared));
  uint32_t *tickets = (uint32_t *)(m + tiles), *flags = tickets + 2, *sums = flags + both;
  along_rows<<<(unsigned)tiles, T>>>(d_in, d_out, n, width, m, tickets);
  along_columns<<<(unsigned)both, dim3(32, 8)>>>(d_out, n, width, (unsigned)strips, flags, sums, tickets + 1);
  const cudaError_t e = cudaGetLastError(), f = cudaFree(m);
  return e ? e : f;
}
