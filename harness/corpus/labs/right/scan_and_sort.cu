// Lab 06: the scan in one launch, and the radix sort.
//
// CHAIN_VOLATILE, CHAIN_ATOMIC_REF: a tile waits for the prefix of the tile before; COUNTED: and counts its
// looks. CHAIN_LOOKBACK: it adds up totals until it meets a prefix; state and value are one 64-bit word.
// RANK_MATCH, RANK_BALLOT: places in a warp by __match_any_sync, by one ballot a bit. RANK_THREADS: by a row
// of counters a thread. RANK_DIGITS: a thread for each digit. HALVES: a digit of an even number of bits by
// two passes. MEMORY_.., HOST_.. as in any_pair.cu.
//
// right 06 chain_volatile: CHAIN_VOLATILE RANK_MATCH THREADS=256 ITEMS=8
// right 06 chain_counted: CHAIN_VOLATILE COUNTED RANK_MATCH THREADS=256 ITEMS=8
// right 06 chain_atomic_ref: CHAIN_ATOMIC_REF RANK_MATCH THREADS=256 ITEMS=8
// right 06 look_back: CHAIN_LOOKBACK RANK_MATCH THREADS=256 ITEMS=8
// right 06 look_back_ballots: CHAIN_LOOKBACK RANK_BALLOT THREADS=256 ITEMS=8
// right 06 look_back_wide_tiles: CHAIN_LOOKBACK RANK_MATCH THREADS=512 ITEMS=8
// right 06 look_back_narrow_tiles: CHAIN_LOOKBACK RANK_BALLOT THREADS=256 ITEMS=4 | loses 06.speed.sort_n1000003: tiles of 1024 keys have twice the counts to scan, 0.86 of the speed
// right 06 look_back_vectors: CHAIN_LOOKBACK RANK_MATCH THREADS=256 ITEMS=8 LOAD_VECTOR
// right 06 look_back_warp: CHAIN_LOOKBACK LOOK_WARP RANK_MATCH THREADS=256 ITEMS=8
// right 06 pooled_memory: CHAIN_LOOKBACK RANK_MATCH THREADS=256 ITEMS=8 MEMORY_POOL
// right 06 managed_memory: CHAIN_VOLATILE RANK_BALLOT THREADS=256 ITEMS=8 MEMORY_MANAGED
// right 06 own_stream: CHAIN_LOOKBACK RANK_MATCH THREADS=256 ITEMS=8 HOST_STREAM
// right 06 halved_digits: CHAIN_LOOKBACK RANK_MATCH THREADS=256 ITEMS=8 HALVES
// right 06 counters_of_threads: CHAIN_LOOKBACK RANK_THREADS THREADS=256 ITEMS=8
// right 06 a_thread_for_each_digit: CHAIN_VOLATILE RANK_DIGITS THREADS=256 ITEMS=8
#include "scanlab/lab.h"

#include <cuda/atomic>

enum { WARP = 32, WARPS = THREADS / WARP, TILE = THREADS * ITEMS, RADIX = 256 };
static unsigned tiles_of(size_t n) { return unsigned((n + TILE - 1) / TILE); }
__device__ constexpr int padded(int i) { return i + i / 32; }

// Scan ------------------------------------------------------------------------------------------------------

__device__ inline uint32_t over_threads(uint32_t x, uint32_t *total) {
  __shared__ uint32_t s_warp[WARPS];
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  const uint32_t own = x;
  for (int offset = 1; offset < WARP; offset *= 2) {
    const uint32_t left = __shfl_up_sync(~0u, x, offset);
    x += lane >= offset ? left : 0;
  }
  if (lane == WARP - 1) s_warp[warp] = x;
  __syncthreads();
  uint32_t before = 0, all = 0;
  for (int w = 0; w < WARPS; w++) before += w < warp ? s_warp[w] : 0, all += s_warp[w];
  *total = all;
  return before + x - own;
}

#ifdef CHAIN_LOOKBACK
typedef unsigned long long word;
enum : word { NOTHING = 0, TOTAL = 1ull << 32, PREFIX = 2ull << 32, STATE = 3ull << 32 };
static size_t chain_bytes(size_t n) { return (1 + tiles_of(n)) * sizeof(word); }
static size_t chain_clear(size_t n) { return chain_bytes(n); }

__device__ inline word wait_for(word *at) {
  word now;
  while (((now = *(volatile word *)at) & STATE) == NOTHING) {}
  return now;
}

// The sum of everything before the tile; publishes the tile's. One warp calls it; lane 0 has the result.
__device__ inline uint32_t before_tile(word *chain, uint32_t tile, uint32_t total) {
  word *state = chain + 1;
  const int lane = threadIdx.x % WARP;
  uint32_t before = 0;
  if (lane == 0) *(volatile word *)&state[tile] = (tile ? TOTAL : PREFIX) | total;
#ifdef LOOK_WARP // 32 tiles at a time, the nearest in lane 0
  for (int64_t last = int64_t(tile) - 1; last >= 0; last -= WARP) {
    const int64_t at = last - lane;
    const word now = at >= 0 ? wait_for(&state[at]) : PREFIX;
    const unsigned full = __ballot_sync(~0u, (now & STATE) == PREFIX);
    const int first = full ? __ffs(full) - 1 : WARP;
    uint32_t x = lane <= first ? uint32_t(now) : 0;
    for (int offset = WARP / 2; offset > 0; offset /= 2) x += __shfl_down_sync(~0u, x, offset);
    before += x;
    if (full) break;
  }
#else
  for (uint32_t at = tile; lane == 0 && at-- > 0;) {
    const word now = wait_for(&state[at]);
    before += uint32_t(now);
    if ((now & STATE) == PREFIX) break;
  }
#endif
  if (lane == 0 && tile) *(volatile word *)&state[tile] = PREFIX | uint32_t(before + total);
  return before;
}
#else
typedef uint32_t word; // ticket, number of published prefixes, prefixes
static size_t chain_bytes(size_t n) { return (2 + tiles_of(n)) * sizeof(word); }
static size_t chain_clear(size_t) { return 2 * sizeof(word); }

__device__ inline uint32_t before_tile(word *chain, uint32_t tile, uint32_t total) {
  uint32_t before = 0;
  if (threadIdx.x % WARP) return 0;
#ifdef CHAIN_ATOMIC_REF
  cuda::atomic_ref<uint32_t, cuda::thread_scope_device> published(chain[1]);
  while (tile && published.load(cuda::memory_order_acquire) < tile) {}
  if (tile) before = chain[2 + tile - 1];
  chain[2 + tile] = before + total;
  published.store(tile + 1, cuda::memory_order_release);
#else
  volatile word *c = chain;
#ifdef COUNTED
  for (uint32_t looks = 0; tile && c[1] < tile;)
    if (++looks >> 31) __trap();
#else
  while (tile && c[1] < tile) {}
#endif
  __threadfence();
  if (tile) before = c[2 + tile - 1];
  c[2 + tile] = before + total;
  __threadfence();
  c[1] = tile + 1;
#endif
  return before;
}
#endif

__global__ void __launch_bounds__(THREADS)
    scan_kernel(const uint32_t *in, uint32_t *out, size_t n, int shift, uint32_t mask, word *chain) {
  __shared__ uint32_t s[TILE + TILE / 32], s_tile, s_before;
  const int t = threadIdx.x;
  if (t == 0) s_tile = uint32_t(atomicAdd(&chain[0], 1));
  __syncthreads();
  const uint32_t tile = s_tile;
  const size_t base = size_t(tile) * TILE;
#ifdef LOAD_VECTOR
  if (base + TILE <= n && reinterpret_cast<uintptr_t>(in) % 16 == 0) {
    for (int k = t; k < TILE / 4; k += THREADS) {
      const uint4 v = reinterpret_cast<const uint4 *>(in + base)[k];
      s[padded(4 * k)] = v.x >> shift & mask, s[padded(4 * k + 1)] = v.y >> shift & mask;
      s[padded(4 * k + 2)] = v.z >> shift & mask, s[padded(4 * k + 3)] = v.w >> shift & mask;
    }
  } else
#endif
    for (int j = t; j < TILE; j += THREADS) s[padded(j)] = base + j < n ? in[base + j] >> shift & mask : 0;
  __syncthreads();
  uint32_t x[ITEMS], sum = 0, total;
  for (int k = 0; k < ITEMS; k++) sum += x[k] = s[padded(t * ITEMS + k)];
  uint32_t running = over_threads(sum, &total);
  if (t < WARP) {
    const uint32_t before = before_tile(chain, tile, total);
    if (t == 0) s_before = before;
  }
  __syncthreads();
  running += s_before;
  for (int k = 0; k < ITEMS; k++) s[padded(t * ITEMS + k)] = running, running += x[k];
  __syncthreads();
  for (int j = t; j < TILE && base + j < n; j += THREADS) out[base + j] = s[padded(j)];
}

static cudaError_t scan(const uint32_t *in, uint32_t *out, size_t n, int shift, uint32_t mask, word *chain,
                        cudaStream_t stream) {
  SL_CUDA(cudaMemsetAsync(chain, 0, chain_clear(n), stream));
  scan_kernel<<<tiles_of(n), THREADS, 0, stream>>>(in, out, n, shift, mask, chain);
  return cudaGetLastError();
}

// Memory and streams ----------------------------------------------------------------------------------------

static cudaError_t take(void **p, size_t bytes, cudaStream_t stream) {
  (void)stream;
#if defined MEMORY_MANAGED
  return cudaMallocManaged(p, bytes);
#elif defined MEMORY_POOL
  return cudaMallocAsync(p, bytes, stream);
#else
  return cudaMalloc(p, bytes);
#endif
}

static cudaError_t give(void *p, cudaStream_t stream) {
#if defined MEMORY_POOL
  return cudaFreeAsync(p, stream);
#else
  SL_CUDA(cudaStreamSynchronize(stream));
  return cudaFree(p);
#endif
}

struct own_stream {
  cudaStream_t s = 0;
#ifdef HOST_STREAM
  own_stream() { cudaStreamCreate(&s); }
  ~own_stream() { cudaStreamSynchronize(s), cudaStreamDestroy(s); }
#endif
};

extern "C" cudaError_t lab06_single_pass_scan(const uint32_t *d_in, uint32_t *d_out, size_t n) {
  if (n == 0) return cudaSuccess;
  own_stream stream;
  word *chain;
  SL_CUDA(take((void **)&chain, chain_bytes(n), stream.s));
  SL_CUDA(scan(d_in, d_out, n, 0, ~0u, chain, stream.s));
  return give(chain, stream.s);
}

// Sort ------------------------------------------------------------------------------------------------------

struct list {
  uint32_t *keys, *values;
};

__global__ void split_kernel(list from, list to, const uint32_t *ones_before, size_t n, int shift) {
  const size_t i = size_t(blockIdx.x) * THREADS + threadIdx.x;
  if (i >= n) return;
  const uint32_t ones = ones_before[n - 1] + (from.keys[n - 1] >> shift & 1), key = from.keys[i];
  const uint32_t place = key >> shift & 1 ? uint32_t(n) - ones + ones_before[i] : uint32_t(i) - ones_before[i];
  to.keys[place] = key;
  if (to.values) to.values[place] = from.values[i];
}

__global__ void count_kernel(const uint32_t *keys, size_t n, int shift, int bits, uint32_t *counts) {
  __shared__ uint32_t s_count[RADIX];
  const uint32_t radix = 1u << bits;
  for (uint32_t d = threadIdx.x; d < radix; d += THREADS) s_count[d] = 0;
  __syncthreads();
  for (int j = threadIdx.x; j < TILE; j += THREADS) {
    const size_t i = size_t(blockIdx.x) * TILE + j;
    if (i < n) atomicAdd(&s_count[keys[i] >> shift & (radix - 1)], 1u);
  }
  __syncthreads();
  for (uint32_t d = threadIdx.x; d < radix; d += THREADS) counts[size_t(d) * gridDim.x + blockIdx.x] = s_count[d];
}

#ifdef RANK_THREADS
// Every thread has ITEMS keys in a row, and a counter for each of the 4 values of 2 bits, packed into one
// 64-bit word. A digit is sorted within its tile by 2 bits at a time; then each key knows its place.
__device__ inline unsigned long long over_words(unsigned long long x, unsigned long long *total) {
  __shared__ unsigned long long s_warp[WARPS];
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  const unsigned long long own = x;
  for (int offset = 1; offset < WARP; offset *= 2) {
    const unsigned long long left = __shfl_up_sync(~0u, x, offset);
    x += lane >= offset ? left : 0;
  }
  __syncthreads();
  if (lane == WARP - 1) s_warp[warp] = x;
  __syncthreads();
  unsigned long long before = 0, all = 0;
  for (int w = 0; w < WARPS; w++) before += w < warp ? s_warp[w] : 0, all += s_warp[w];
  *total = all;
  return before + x - own;
}

__global__ void scatter_kernel(list from, list to, size_t n, int shift, int bits, const uint32_t *offsets) {
  __shared__ uint32_t s_key[TILE], s_start[RADIX];
  __shared__ uint16_t s_from[TILE];
  const int t = threadIdx.x;
  const size_t base = size_t(blockIdx.x) * TILE;
  const int count = n - base < TILE ? int(n - base) : TILE;
  const uint32_t radix = 1u << bits;
  for (int j = t; j < TILE; j += THREADS) s_key[j] = j < count ? from.keys[base + j] : ~0u, s_from[j] = uint16_t(j);
  __syncthreads();
  for (int b = 0; b < bits; b += 2) {
    const uint32_t mask = b + 1 < bits ? 3 : 1;
    uint32_t key[ITEMS];
    uint16_t source[ITEMS];
    unsigned long long mine = 0, total;
    for (int k = 0; k < ITEMS; k++) {
      key[k] = s_key[t * ITEMS + k], source[k] = s_from[t * ITEMS + k];
      const uint32_t d = source[k] < count ? key[k] >> (shift + b) & mask : mask;
      mine += 1ull << 16 * d;
    }
    unsigned long long place = over_words(mine, &total);
    place += (total << 16) + (total << 32) + (total << 48); // the keys of lower digits; the fields do not overflow
    __syncthreads();
    for (int k = 0; k < ITEMS; k++) {
      const uint32_t d = source[k] < count ? key[k] >> (shift + b) & mask : mask;
      const uint32_t at = place >> 16 * d & 0xffff;
      place += 1ull << 16 * d;
      s_key[at] = key[k], s_from[at] = source[k];
    }
    __syncthreads();
  }
  for (int j = t; j < count; j += THREADS) {
    const uint32_t d = s_key[j] >> shift & (radix - 1);
    if (j == 0 || (s_key[j - 1] >> shift & (radix - 1)) != d) s_start[d] = j;
  }
  __syncthreads();
  for (int j = t; j < count; j += THREADS) {
    const uint32_t d = s_key[j] >> shift & (radix - 1), place = offsets[size_t(d) * gridDim.x + blockIdx.x] + j - s_start[d];
    to.keys[place] = s_key[j];
    if (to.values) to.values[place] = from.values[base + s_from[j]];
  }
}
#elif defined RANK_DIGITS
// Thread d walks through the tile and gives the keys with digit d their places.
__global__ void scatter_kernel(list from, list to, size_t n, int shift, int bits, const uint32_t *offsets) {
  __shared__ uint32_t s_digit[TILE], s_place[TILE];
  const uint32_t radix = 1u << bits;
  const size_t base = size_t(blockIdx.x) * TILE;
  const int count = n - base < TILE ? int(n - base) : TILE;
  for (int j = threadIdx.x; j < count; j += THREADS) s_digit[j] = from.keys[base + j] >> shift & (radix - 1);
  __syncthreads();
  if (threadIdx.x < radix) {
    uint32_t next = offsets[size_t(threadIdx.x) * gridDim.x + blockIdx.x];
    for (int j = 0; j < count; j++)
      if (s_digit[j] == threadIdx.x) s_place[j] = next++;
  }
  __syncthreads();
  for (int j = threadIdx.x; j < count; j += THREADS) {
    to.keys[s_place[j]] = from.keys[base + j];
    if (to.values) to.values[s_place[j]] = from.values[base + j];
  }
}
#else
// The lanes of the warp that hold the same digit.
__device__ inline unsigned peers_of(uint32_t digit, bool valid, int bits) {
#ifdef RANK_BALLOT
  unsigned peers = __ballot_sync(~0u, valid);
  if (!valid) peers = ~peers;
  for (int b = 0; b < bits; b++) {
    const unsigned with = __ballot_sync(~0u, digit >> b & 1);
    peers &= digit >> b & 1 ? with : ~with;
  }
  return peers;
#else
  return (void)bits, __match_any_sync(~0u, valid ? digit : RADIX);
#endif
}

__global__ void scatter_kernel(list from, list to, size_t n, int shift, int bits, const uint32_t *offsets) {
  __shared__ uint32_t s_next[WARPS][RADIX];
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  const uint32_t radix = 1u << bits;
  for (uint32_t d = lane; d < radix; d += WARP) s_next[warp][d] = 0;
  __syncwarp();
  const size_t first = size_t(blockIdx.x) * TILE + warp * (WARP * ITEMS) + lane;
  uint32_t key[ITEMS], rank[ITEMS];
  for (int k = 0; k < ITEMS; k++) {
    const bool valid = first + k * WARP < n;
    key[k] = valid ? from.keys[first + k * WARP] : 0;
    const uint32_t digit = key[k] >> shift & (radix - 1);
    const unsigned peers = peers_of(digit, valid, bits);
    const int leader = __ffs(peers) - 1;
    uint32_t before = 0;
    if (lane == leader && valid) before = atomicAdd(&s_next[warp][digit], __popc(peers));
    rank[k] = __shfl_sync(~0u, before, leader) + __popc(peers & ((1u << lane) - 1));
    __syncwarp();
  }
  __syncthreads();
  for (uint32_t d = threadIdx.x; d < radix; d += THREADS) {
    uint32_t next = offsets[size_t(d) * gridDim.x + blockIdx.x];
    for (int w = 0; w < WARPS; w++) {
      const uint32_t count = s_next[w][d];
      s_next[w][d] = next;
      next += count;
    }
  }
  __syncthreads();
  for (int k = 0; k < ITEMS; k++) {
    const size_t i = first + k * WARP;
    if (i >= n) return; // no barrier follows
    const uint32_t place = s_next[warp][key[k] >> shift & (radix - 1)] + rank[k];
    to.keys[place] = key[k];
    if (to.values) to.values[place] = from.values[i];
  }
}
#endif

__device__ inline uint32_t coded(uint32_t x, sl_type type, bool back) {
  if (type == SL_U32) return x;
  if (type == SL_I32) return x ^ 0x80000000u;
  return x ^ ((x >> 31) != back ? ~0u : 0x80000000u);
}

__global__ void code_kernel(const uint32_t *in, uint32_t *out, size_t n, sl_type type, bool back) {
  const size_t i = size_t(blockIdx.x) * THREADS + threadIdx.x;
  if (i < n) out[i] = coded(in[i], type, back);
}

static cudaError_t sort(const lab06_args *a, list other, uint32_t *index, word *chain, cudaStream_t stream) {
  const unsigned all = unsigned((a->n + THREADS - 1) / THREADS), tiles = tiles_of(a->n);
  list out = {(uint32_t *)a->keys_out, a->values_in ? a->values_out : nullptr};
#ifdef HALVES
  const int width = a->bits % 2 ? a->bits : a->bits / 2;
#else
  const int width = a->bits;
#endif
  const bool even = (32 + width - 1) / width % 2 == 0;
  list from = even ? out : other, to = even ? other : out;
  code_kernel<<<all, THREADS, 0, stream>>>((const uint32_t *)a->keys_in, from.keys, a->n, a->type, false);
  if (a->values_in)
    SL_CUDA(cudaMemcpyAsync(from.values, a->values_in, a->n * 4, cudaMemcpyDeviceToDevice, stream));
  for (int shift = 0; shift < 32; shift += width) {
    if (a->bits == 1) {
      SL_CUDA(scan(from.keys, index, a->n, shift, 1, chain, stream));
      split_kernel<<<all, THREADS, 0, stream>>>(from, to, index, a->n, shift);
    } else {
      const int bits = shift + width > 32 ? 32 - shift : width; // the last digit may be narrower
      count_kernel<<<tiles, THREADS, 0, stream>>>(from.keys, a->n, shift, bits, index);
      SL_CUDA(scan(index, index, size_t(tiles) << bits, 0, ~0u, chain, stream));
      scatter_kernel<<<tiles, THREADS, 0, stream>>>(from, to, a->n, shift, bits, index);
    }
    SL_CUDA(cudaGetLastError());
    const list swap = from;
    from = to, to = swap;
  }
  code_kernel<<<all, THREADS, 0, stream>>>(out.keys, out.keys, a->n, a->type, true);
  return cudaGetLastError();
}

extern "C" cudaError_t lab06_sort(const lab06_args *a) {
  if (a->n == 0) return cudaSuccess;
  own_stream stream;
  const size_t words = a->bits == 1 ? a->n : size_t(tiles_of(a->n)) << a->bits, keys = (a->n + 3) / 4 * 4;
  uint32_t *memory;
  word *chain;
  SL_CUDA(take((void **)&memory, (2 * keys + words) * 4, stream.s));
  SL_CUDA(take((void **)&chain, chain_bytes(words), stream.s));
  const list other = {memory, a->values_in ? memory + keys : nullptr};
  const cudaError_t e = sort(a, other, memory + 2 * keys, chain, stream.s);
  const cudaError_t f = give(chain, stream.s), g = give(memory, stream.s);
  return e ? e : f ? f : g;
}
