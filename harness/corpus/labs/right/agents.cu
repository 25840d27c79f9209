// Right, in other styles: agents with their memory in a union; digits are ranked by masks that lanes OR
// together in shared memory.
//
//   SPECIALISED   a ninth warp looks back while eight scan; they meet at named barriers
//   AHEAD         blocks that stay; the next tile is loaded before the present one is stored
//   (neither)     a template for each tile, full or not
//
// right 06 agents_ahead: AHEAD OWN_STREAM
// right 06 agents_of_128: THREADS=128 EACH=16
// right 06 agents_of_512: THREADS=512 EACH=4
// right 06 warp_that_looks_back: SPECIALISED
// right 06 warp_that_looks_back_of_four: SPECIALISED THREADS=96 EACH=9 | loses 06.speed.sort_n1000003: small tiles have longer tables of counts
#include "scanlab/lab.h"

namespace {
#ifndef THREADS
#define THREADS 256
#endif
#ifndef EACH
#define EACH 8
#endif
enum { T = THREADS, TILE = T * EACH, WARPS = T / 32 };
typedef unsigned long long word;

__host__ __device__ inline unsigned tiles_of(size_t n) { return unsigned((n + TILE - 1) / TILE); }

struct links {
  word *state; // what is known of a tile: 2 bits, and 32 of a sum
  unsigned *ticket;
};

__device__ __forceinline__ word look(const word *p) {
  word w;
  asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(w) : "l"(p) : "memory");
  return w;
}
__device__ __forceinline__ void tell(word *p, word w) {
  asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(p), "l"(w) : "memory");
}

// The sum of all tiles before; a whole warp calls it.
__device__ uint32_t look_back(links l, unsigned tile, uint32_t own) {
  const unsigned lane = threadIdx.x & 31;
  if (lane == 0) tell(&l.state[tile], (tile ? 1ull : 2ull) << 32 | own);
  uint32_t before = 0;
  for (int end = (int)tile - 1; end >= 0; end -= 32) {
    word w = 2ull << 32;
    const int k = end - (int)lane;
    if (k >= 0) do
        w = look(&l.state[k]);
      while (!(w >> 32));
    const unsigned full = __ballot_sync(~0u, w >> 33 & 1), upto = full ? __ffs(full) - 1u : 31u;
    uint32_t s = lane <= upto ? (uint32_t)w : 0;
#pragma unroll
    for (int o = 16; o; o /= 2) s += __shfl_xor_sync(~0u, s, o);
    before += s;
    if (full) break;
  }
  if (lane == 0 && tile) tell(&l.state[tile], 2ull << 32 | uint32_t(before + own));
  return before;
}

__device__ uint32_t inclusive_of_warp(uint32_t x) {
#pragma unroll
  for (int o = 1; o < 32; o *= 2) {
    const uint32_t l = __shfl_up_sync(~0u, x, o);
    if ((threadIdx.x & 31) >= o) x += l;
  }
  return x;
}

template <int ID> __device__ void meet(int threads) {
  asm volatile("bar.sync %0, %1;" ::"n"(ID), "r"(threads) : "memory");
}

struct bits_of {
  int shift;
  uint32_t mask;
  __device__ uint32_t operator()(uint32_t x) const { return x >> shift & mask; }
};

#ifdef SPECIALISED
enum { SCANNERS = T, SCAN_BLOCK = T + 32 };
__global__ void __launch_bounds__(SCAN_BLOCK)
    scan(const uint32_t *in, uint32_t *out, size_t n, bits_of of, links l) {
  __shared__ uint32_t s_sum[WARPS], s_total, s_before;
  __shared__ unsigned s_tile;
  if (threadIdx.x == 0) s_tile = atomicAdd(l.ticket, 1);
  meet<1>(SCAN_BLOCK);
  const unsigned tile = s_tile, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  if (warp == WARPS) { // the one that looks back
    meet<2>(SCAN_BLOCK);
    const uint32_t b = look_back(l, tile, s_total);
    if (lane == 0) s_before = b;
    meet<3>(SCAN_BLOCK);
    return;
  }
  const size_t i = (size_t)tile * TILE + warp * 32 * EACH + lane;
  uint32_t x[EACH], sum = 0;
  for (int k = 0; k < EACH; k++) {
    const uint32_t own = i + 32 * k < n ? of(in[i + 32 * k]) : 0, upto = inclusive_of_warp(own);
    x[k] = sum + upto - own;
    sum += __shfl_sync(~0u, upto, 31);
  }
  if (lane == 0) s_sum[warp] = sum;
  meet<4>(SCANNERS);
  uint32_t left = 0, all = 0;
  for (unsigned w = 0; w < WARPS; w++) {
    left += w < warp ? s_sum[w] : 0;
    all += s_sum[w];
  }
  if (threadIdx.x == 0) s_total = all;
  meet<2>(SCAN_BLOCK);
  meet<3>(SCAN_BLOCK);
  for (int k = 0; k < EACH; k++)
    if (i + 32 * k < n) out[i + 32 * k] = s_before + left + x[k];
}
#else
enum { SCAN_BLOCK = T };
struct agent {
  union memory {
    uint32_t tile[TILE + TILE / 32];
    struct {
      uint32_t sum[WARPS], before;
    } totals;
  };
  memory &m;
  bits_of of;
  uint32_t x[EACH];
  static __device__ int place(int i) { return i + (i >> 5); }
  template <bool FULL>
  __device__ void load(const uint32_t *in, size_t first, size_t n) { // striped; they wait in registers
    for (int k = 0; k < EACH; k++) {
      const size_t i = first + k * T + threadIdx.x;
      x[k] = FULL || i < n ? of(in[i]) : 0;
    }
  }
  __device__ void exchange() { // striped to blocked
    for (int k = 0; k < EACH; k++) m.tile[place(k * T + threadIdx.x)] = x[k];
    __syncthreads();
    for (int k = 0; k < EACH; k++) x[k] = m.tile[place(threadIdx.x * EACH + k)];
    __syncthreads();
  }
  __device__ void scan(links l, unsigned tile) {
    uint32_t sum = 0;
    for (int k = 0; k < EACH; k++) {
      const uint32_t own = x[k];
      x[k] = sum, sum += own;
    }
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const uint32_t upto = inclusive_of_warp(sum);
    if (lane == 31) m.totals.sum[warp] = upto;
    __syncthreads();
    uint32_t left = upto - sum, all = 0;
    for (unsigned w = 0; w < WARPS; w++) {
      if (w < warp) left += m.totals.sum[w];
      all += m.totals.sum[w];
    }
    if (warp == 0) {
      const uint32_t b = look_back(l, tile, all);
      if (lane == 0) m.totals.before = b;
    }
    __syncthreads();
    left += m.totals.before;
    for (int k = 0; k < EACH; k++) x[k] += left;
    __syncthreads();
  }
  template <bool FULL> __device__ void store(uint32_t *out, size_t first, size_t n) {
    for (int k = 0; k < EACH; k++) m.tile[place(threadIdx.x * EACH + k)] = x[k];
    __syncthreads();
    for (int k = 0; k < EACH; k++) {
      const int at = k * T + threadIdx.x;
      if (FULL || first + at < n) out[first + at] = m.tile[place(at)];
    }
    __syncthreads();
  }
};

template <bool AHEAD_OF>
__global__ void __launch_bounds__(T) scan(const uint32_t *in, uint32_t *out, size_t n, bits_of of, links l) {
  __shared__ agent::memory m;
  __shared__ unsigned s_tile;
  const unsigned tiles = tiles_of(n);
  auto draw = [&] {
    __syncthreads();
    if (threadIdx.x == 0) s_tile = atomicAdd(l.ticket, 1);
    __syncthreads();
    return s_tile;
  };
  agent a = {m, of};
  if (!AHEAD_OF) {
    const unsigned tile = draw();
    const size_t first = (size_t)tile * TILE;
    const bool full = first + TILE <= n;
    if (full) a.load<true>(in, first, n);
    else a.load<false>(in, first, n);
    a.exchange(), a.scan(l, tile);
    if (full) a.store<true>(out, first, n);
    else a.store<false>(out, first, n);
    return;
  }
  unsigned tile = draw();
  if (tile < tiles) a.load<false>(in, (size_t)tile * TILE, n);
  while (tile < tiles) {
    a.exchange(), a.scan(l, tile);
    const unsigned next = draw();
    agent b = {m, of};
    if (next < tiles) b.load<false>(in, (size_t)next * TILE, n);
    a.store<false>(out, (size_t)tile * TILE, n);
    for (int k = 0; k < EACH; k++) a.x[k] = b.x[k];
    tile = next;
  }
}
#endif

cudaError_t scan_all(const uint32_t *in, uint32_t *out, size_t n, bits_of of, links l, cudaStream_t s) {
  const unsigned tiles = tiles_of(n);
  SL_CUDA(cudaMemsetAsync(l.state, 0, (tiles + 1) * sizeof(word), s)); // the ticket is its last word
  l.ticket = reinterpret_cast<unsigned *>(l.state + tiles);
#if defined SPECIALISED
  scan<<<tiles, SCAN_BLOCK, 0, s>>>(in, out, n, of, l);
#elif defined AHEAD
  const unsigned blocks = tiles < 20 ? tiles : 20;
  scan<true><<<blocks, SCAN_BLOCK, 0, s>>>(in, out, n, of, l);
#else
  scan<false><<<tiles, SCAN_BLOCK, 0, s>>>(in, out, n, of, l);
#endif
  return cudaGetLastError();
}

// Keys -----------------------------------------------------------------------------------------------------

template <sl_type TYPE> __host__ __device__ uint32_t encoded(uint32_t k) {
  if (TYPE == SL_I32) return k ^ 0x80000000u;
  if (TYPE == SL_F32) return k ^ (uint32_t(int32_t(k) >> 31) | 0x80000000u);
  return k;
}
template <sl_type TYPE> __host__ __device__ uint32_t decoded(uint32_t c) {
  if (TYPE == SL_I32) return c ^ 0x80000000u;
  if (TYPE == SL_F32) return c ^ (~uint32_t(int32_t(c) >> 31) | 0x80000000u);
  return c;
}
struct list {
  uint32_t *keys, *values;
};
template <sl_type TYPE>
__global__ void begin(list to, const uint32_t *keys, const uint32_t *values, size_t n) {
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
    to.keys[i] = encoded<TYPE>(keys[i]);
    if (to.values) to.values[i] = values[i];
  }
}
template <sl_type TYPE> __global__ void finish(uint32_t *keys, size_t n) {
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    keys[i] = decoded<TYPE>(keys[i]);
}

// One bit --------------------------------------------------------------------------------------------------

__global__ void split(list from, list to, const uint32_t *ones, size_t n, int shift) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t zeros = uint32_t(n) - ones[n - 1] - (from.keys[n - 1] >> shift & 1);
  if (i >= n) return;
  const uint32_t key = from.keys[i], before = ones[i];
  const size_t at = key >> shift & 1 ? zeros + before : i - before;
  to.keys[at] = key;
  if (to.values) to.values[at] = from.values[i];
}

// Digits ---------------------------------------------------------------------------------------------------

__global__ void __launch_bounds__(T) count(const uint32_t *keys, size_t n, bits_of of, uint32_t *table) {
  __shared__ uint32_t s[256];
  for (unsigned d = threadIdx.x; d <= of.mask; d += T) s[d] = 0;
  __syncthreads();
  for (int k = 0; k < EACH; k++) {
    const size_t i = (size_t)blockIdx.x * TILE + k * T + threadIdx.x;
    if (i < n) atomicAdd(&s[of(keys[i])], 1u);
  }
  __syncthreads();
  for (unsigned d = threadIdx.x; d <= of.mask; d += T) table[(size_t)d * gridDim.x + blockIdx.x] = s[d];
}

__global__ void __launch_bounds__(T)
    scatter(list from, list to, size_t n, bits_of of, const uint32_t *table) {
  extern __shared__ uint32_t shared[]; // [WARPS][digits] counts, [WARPS][digits] masks
  const unsigned digits = of.mask + 1, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  uint32_t *counts = shared, *masks = shared + WARPS * digits, *my_counts = counts + warp * digits,
           *my_masks = masks + warp * digits;
  for (unsigned d = lane; d < digits; d += 32) my_counts[d] = my_masks[d] = 0;
  __syncwarp();
  uint32_t key[EACH], rank[EACH];
  const size_t first = (size_t)blockIdx.x * TILE + (size_t)warp * 32 * EACH + lane;
#pragma unroll
  for (int k = 0; k < EACH; k++) {
    const bool there = first + 32 * k < n;
    key[k] = there ? from.keys[first + 32 * k] : 0;
    const unsigned d = of(key[k]);
    if (there) atomicOr(&my_masks[d], 1u << lane);
    __syncwarp();
    unsigned peers = 0, base = 0;
    if (there) peers = my_masks[d], base = my_counts[d];
    __syncwarp();
    rank[k] = base + __popc(peers & ((1u << lane) - 1));
    if (there && lane == 31 - __clz(peers)) my_masks[d] = 0, my_counts[d] = base + __popc(peers);
    __syncwarp();
  }
  __syncthreads();
  for (unsigned d = threadIdx.x; d < digits; d += T) {
    uint32_t at = table[(size_t)d * gridDim.x + blockIdx.x];
    for (unsigned w = 0; w < WARPS; w++) {
      const uint32_t c = counts[w * digits + d];
      counts[w * digits + d] = at, at += c;
    }
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < EACH; k++) {
    const size_t i = first + 32 * k;
    if (i >= n) continue;
    const size_t at = my_counts[of(key[k])] + rank[k];
    to.keys[at] = key[k];
    if (to.values) to.values[at] = from.values[i];
  }
}

struct space {
  list other;
  uint32_t *table;
  links l;
};

cudaError_t pass(list from, list to, size_t n, int shift, int bits, const space &w, cudaStream_t s) {
  const unsigned tiles = tiles_of(n);
  const bits_of of = {shift, (1u << bits) - 1};
  if (bits == 1) {
    SL_CUDA(scan_all(from.keys, w.table, n, of, w.l, s));
    split<<<unsigned((n + 511) / 512), 512, 0, s>>>(from, to, w.table, n, shift);
    return cudaGetLastError();
  }
  count<<<tiles, T, 0, s>>>(from.keys, n, of, w.table);
  SL_CUDA(scan_all(w.table, w.table, (size_t)tiles << bits, bits_of{0, ~0u}, w.l, s));
  scatter<<<tiles, T, (2 * WARPS * sizeof(uint32_t)) << bits, s>>>(from, to, n, of, w.table);
  return cudaGetLastError();
}

template <sl_type TYPE> cudaError_t sort(const lab06_args *a, const space &w, cudaStream_t s) {
  const unsigned grid = a->n < 1 << 16 ? unsigned((a->n + 255) / 256) : 256;
  const list out = {(uint32_t *)a->keys_out, a->values_out};
  list from = (32 + a->bits - 1) / a->bits % 2 ? w.other : out, to = from.keys == out.keys ? w.other : out;
  begin<TYPE><<<grid, 256, 0, s>>>(from, (const uint32_t *)a->keys_in, a->values_in, a->n);
  SL_CUDA(cudaGetLastError());
  for (int shift = 0; shift < 32; shift += a->bits) {
    SL_CUDA(pass(from, to, a->n, shift, shift + a->bits > 32 ? 32 - shift : a->bits, w, s));
    const list x = from;
    from = to, to = x;
  }
  if (TYPE != SL_U32) finish<TYPE><<<grid, 256, 0, s>>>(out.keys, a->n);
  return cudaGetLastError();
}
} // namespace

extern "C" cudaError_t lab06_single_pass_scan(const uint32_t *d_in, uint32_t *d_out, size_t n) {
  if (n == 0) return cudaSuccess;
  links l;
  SL_CUDA(cudaMalloc(&l.state, (tiles_of(n) + 1) * sizeof(word)));
  const cudaError_t e = scan_all(d_in, d_out, n, bits_of{0, ~0u}, l, 0), f = cudaFree(l.state);
  return e ? e : f;
}

extern "C" cudaError_t lab06_sort(const lab06_args *a) {
  if (a->n == 0) return cudaSuccess;
  const unsigned tiles = tiles_of(a->n);
  const size_t table = a->bits == 1 ? a->n : (size_t)tiles << a->bits, links_of = tiles_of(table) + 1;
  char *m;
  SL_CUDA(cudaMalloc(&m, links_of * 8 + table * 4 + a->n * 8));
  space w;
  w.l.state = (word *)m;
  w.table = (uint32_t *)(w.l.state + links_of);
  w.other = {w.table + table, a->values_in ? w.table + table + a->n : nullptr};
  cudaError_t e;
  cudaStream_t s = 0;
#ifdef OWN_STREAM
  SL_CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
#endif
  switch (a->type) {
  case SL_I32: e = sort<SL_I32>(a, w, s); break;
  case SL_F32: e = sort<SL_F32>(a, w, s); break;
  default: e = sort<SL_U32>(a, w, s);
  }
#ifdef OWN_STREAM
  const cudaError_t g = cudaStreamSynchronize(s);
  cudaStreamDestroy(s);
  e = e ? e : g;
#endif
  const cudaError_t f = cudaFree(m);
  return e ? e : f;
}
