// Lab 06 by one sweep: the digits of all passes are counted at once, and each pass is one launch, whose tiles
// look back digit by digit. Keys are encoded as the first pass reads them and decoded as the last one writes
// them, by a type a kernel.
//
// STATE_VOLATILE, STATE_ATOMIC_REF, STATE_PTX, STATE_ATOMICS: how a tile reads and publishes a state, one
// 64-bit word of status and sum. STATE_FLAGS: the status is a word of its own, with fences. EXCHANGE: keys
// change places within the tile first, so that neighbours are stored together. PERSISTENT: as many blocks as
// fit draw tiles until none is left.
//
// right 06 onesweep: STATE_VOLATILE THREADS=256 ITEMS=8
// right 06 onesweep_atomic_ref: STATE_ATOMIC_REF THREADS=256 ITEMS=16
// right 06 onesweep_ptx: STATE_PTX THREADS=512 ITEMS=8 EXCHANGE
// right 06 onesweep_atomics: STATE_ATOMICS THREADS=256 ITEMS=12
// right 06 onesweep_flags: STATE_FLAGS THREADS=384 ITEMS=8 EXCHANGE
// right 06 onesweep_exchange: STATE_VOLATILE THREADS=256 ITEMS=15 EXCHANGE
// right 06 onesweep_persistent: STATE_ATOMIC_REF THREADS=256 ITEMS=8 PERSISTENT
#include "scanlab/lab.h"

#include <cuda/atomic>

enum { WARP = 32, WARPS = THREADS / WARP, TILE = THREADS * ITEMS, RADIX = 256, MAX_PASSES = 32, TABLE = 1024 };

// States ----------------------------------------------------------------------------------------------------

typedef unsigned long long word;
enum : word { SUM_OF_TILE = 1, SUM_SO_FAR = 2 };

#ifdef STATE_FLAGS // three words: status, the tile's sum, the sum so far
struct state {
  uint32_t status, tile, so_far;
};
__device__ inline void publish(state *s, word status, uint32_t sum) {
  *(volatile uint32_t *)(status == SUM_OF_TILE ? &s->tile : &s->so_far) = sum;
  __threadfence();
  *(volatile uint32_t *)&s->status = uint32_t(status);
}
__device__ inline word poll(state *s, uint32_t *sum) {
  const uint32_t status = *(volatile uint32_t *)&s->status;
  __threadfence();
  if (status) *sum = *(volatile uint32_t *)(status == SUM_OF_TILE ? &s->tile : &s->so_far);
  return status;
}
#else // one word: status in the upper half, sum in the lower one
typedef word state;
__device__ inline void publish(state *s, word status, uint32_t sum) {
  const word now = status << 32 | sum;
#if defined STATE_ATOMIC_REF
  cuda::atomic_ref<word, cuda::thread_scope_device>(*s).store(now, cuda::memory_order_release);
#elif defined STATE_PTX
  asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(s), "l"(now) : "memory");
#elif defined STATE_ATOMICS
  atomicExch(s, now);
#else
  *(volatile word *)s = now;
#endif
}
__device__ inline word poll(state *s, uint32_t *sum) {
  word now;
#if defined STATE_ATOMIC_REF
  now = cuda::atomic_ref<word, cuda::thread_scope_device>(*s).load(cuda::memory_order_acquire);
#elif defined STATE_PTX
  asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(now) : "l"(s) : "memory");
#elif defined STATE_ATOMICS
  now = atomicAdd(s, 0ull);
#else
  now = *(volatile word *)s;
#endif
  *sum = uint32_t(now);
  return now >> 32;
}
#endif

// Publishes what the tile adds to one sum, and returns what the tiles before it add. The states of a sum are
// `stride` apart.
__device__ inline uint32_t look_back(state *states, uint32_t tile, size_t stride, uint32_t own) {
  state *mine = states + tile * stride;
  publish(mine, tile ? SUM_OF_TILE : SUM_SO_FAR, own);
  if (tile == 0) return 0;
  uint32_t before = 0;
  for (state *at = mine - stride;; at -= stride) {
    uint32_t sum = 0;
    word status;
    do status = poll(at, &sum);
    while (status == 0);
    before += sum;
    if (status == SUM_SO_FAR) break;
  }
  publish(mine, SUM_SO_FAR, before + own);
  return before;
}

// The next tile of this block, for all its threads.
__device__ inline uint32_t next_tile(uint32_t *ticket) {
  __shared__ uint32_t s_tile;
  __syncthreads(); // all have read the one before
  if (threadIdx.x == 0) s_tile = atomicAdd(ticket, 1u);
  __syncthreads();
  return s_tile;
}

// Launches -------------------------------------------------------------------------------------------------

static uint32_t tiles_of(size_t n) { return uint32_t((n + TILE - 1) / TILE); }

template <class Kernel> static unsigned blocks_for(Kernel kernel, uint32_t tiles) {
#ifdef PERSISTENT
  int device = 0, processors = 0, each = 0;
  if (cudaGetDevice(&device) == cudaSuccess &&
      cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) == cudaSuccess &&
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, THREADS, 0) == cudaSuccess && each > 0)
    return tiles < unsigned(processors * each) ? tiles : unsigned(processors * each);
#else
  (void)kernel;
#endif
  return tiles;
}

// Scan -----------------------------------------------------------------------------------------------------

// Exclusive sum over the block; three barriers apart from the next call.
__device__ inline uint32_t over_block(uint32_t x, uint32_t *total) {
  __shared__ uint32_t s_sum[WARP];
  const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  uint32_t inclusive = x;
#pragma unroll
  for (int d = 1; d < WARP; d <<= 1) {
    const uint32_t y = __shfl_up_sync(0xffffffff, inclusive, d);
    if (lane >= unsigned(d)) inclusive += y;
  }
  __syncthreads();
  if (lane == WARP - 1) s_sum[warp] = inclusive;
  __syncthreads();
  if (warp == 0) {
    uint32_t sum = lane < WARPS ? s_sum[lane] : 0;
#pragma unroll
    for (int d = 1; d < WARP; d <<= 1) {
      const uint32_t y = __shfl_up_sync(0xffffffff, sum, d);
      if (lane >= unsigned(d)) sum += y;
    }
    s_sum[lane] = sum;
  }
  __syncthreads();
  *total = s_sum[WARPS - 1];
  return inclusive - x + (warp ? s_sum[warp - 1] : 0);
}

__global__ void __launch_bounds__(THREADS)
    prefix_kernel(const uint32_t *in, uint32_t *out, size_t n, uint32_t tiles, uint32_t *ticket, state *states) {
  __shared__ uint32_t s_x[TILE + TILE / 32], s_before;
  for (uint32_t tile; (tile = next_tile(ticket)) < tiles;) {
    const size_t first = size_t(tile) * TILE;
    const uint32_t count = n - first < TILE ? uint32_t(n - first) : TILE;
    for (uint32_t j = threadIdx.x; j < TILE; j += THREADS) s_x[j + j / 32] = j < count ? in[first + j] : 0;
    __syncthreads();
    uint32_t x[ITEMS], own = 0, total;
#pragma unroll
    for (uint32_t k = 0; k < ITEMS; k++) {
      const uint32_t j = threadIdx.x * ITEMS + k;
      x[k] = own;
      own += s_x[j + j / 32];
    }
    const uint32_t left = over_block(own, &total);
    if (threadIdx.x == 0) s_before = look_back(states, tile, 1, total);
    __syncthreads();
#pragma unroll
    for (uint32_t k = 0; k < ITEMS; k++) {
      const uint32_t j = threadIdx.x * ITEMS + k;
      s_x[j + j / 32] = s_before + left + x[k];
    }
    __syncthreads();
    for (uint32_t j = threadIdx.x; j < count; j += THREADS) out[first + j] = s_x[j + j / 32];
  }
}

extern "C" cudaError_t lab06_single_pass_scan(const uint32_t *d_in, uint32_t *d_out, size_t n) {
  if (!n) return cudaSuccess;
  const uint32_t tiles = tiles_of(n);
  char *scratch;
  const size_t bytes = 16 + tiles * sizeof(state);
  SL_CUDA(cudaMalloc(&scratch, bytes));
  SL_CUDA(cudaMemset(scratch, 0, bytes));
  prefix_kernel<<<blocks_for(prefix_kernel, tiles), THREADS>>>(d_in, d_out, n, tiles, (uint32_t *)scratch, (state *)(scratch + 16));
  const cudaError_t launched = cudaGetLastError(), freed = cudaFree(scratch);
  return launched ? launched : freed;
}

// Keys -----------------------------------------------------------------------------------------------------

struct Unsigned {
  __device__ static uint32_t code(uint32_t key) { return key; }
  __device__ static uint32_t key(uint32_t code) { return code; }
};
struct Signed {
  __device__ static uint32_t code(uint32_t key) { return key + 0x80000000u; }
  __device__ static uint32_t key(uint32_t code) { return code - 0x80000000u; }
};
struct Float {
  __device__ static uint32_t code(uint32_t key) { return key ^ (uint32_t(int32_t(key) >> 31) | 0x80000000u); }
  __device__ static uint32_t key(uint32_t code) { return code ^ (uint32_t(int32_t(~code) >> 31) | 0x80000000u); }
};

struct pairs {
  uint32_t *keys, *values;
};

// table[pass << bits | digit]: how often the digit occurs in all keys.
template <class Key>
__global__ void __launch_bounds__(THREADS) count_all_kernel(const uint32_t *keys, size_t n, int bits, int passes, uint32_t *table) {
  __shared__ uint32_t s_table[TABLE];
  const int size = passes << bits;
  for (int i = threadIdx.x; i < size; i += THREADS) s_table[i] = 0;
  __syncthreads();
  for (size_t i = size_t(blockIdx.x) * THREADS + threadIdx.x; i < n; i += size_t(gridDim.x) * THREADS) {
    const uint32_t code = Key::code(keys[i]);
    for (int p = 0; p < passes; p++) atomicAdd(&s_table[p << bits | (code >> p * bits & ((1u << bits) - 1))], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < size; i += THREADS)
#ifdef STATE_PTX
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(table + i), "r"(s_table[i]) : "memory");
#else
    if (s_table[i]) atomicAdd(&table[i], s_table[i]);
#endif
}

// One block a pass: where each digit begins.
__global__ void __launch_bounds__(RADIX) begin_kernel(uint32_t *table, int bits) {
  __shared__ uint32_t s[2][RADIX];
  uint32_t *row = table + (blockIdx.x << bits);
  const int t = threadIdx.x, radix = 1 << bits;
  const uint32_t own = t < radix ? row[t] : 0;
  int now = 0;
  s[0][t] = own;
  __syncthreads();
  for (int d = 1; d < radix; d *= 2, now ^= 1) {
    s[now ^ 1][t] = s[now][t] + (t >= d ? s[now][t - d] : 0);
    __syncthreads();
  }
  if (t < radix) row[t] = s[now][t] - own;
}

template <class Key, bool FIRST, bool LAST>
__global__ void __launch_bounds__(THREADS) sweep_kernel(pairs from, pairs to, size_t n, int shift, int bits, uint32_t tiles,
                                                        const uint32_t *begin, uint32_t *ticket, state *states) {
  __shared__ uint32_t s_count[WARPS][RADIX], s_place[RADIX];
#ifdef EXCHANGE
  __shared__ uint32_t s_sorted[TILE];
#endif
  const uint32_t t = threadIdx.x, lane = t % WARP, warp = t / WARP, radix = 1u << bits, lower = (1u << lane) - 1;
  for (uint32_t tile; (tile = next_tile(ticket)) < tiles;) {
    const size_t first = size_t(tile) * TILE;
    const uint32_t count = n - first < TILE ? uint32_t(n - first) : TILE;
    for (uint32_t d = lane; d < radix; d += WARP) s_count[warp][d] = 0;
    __syncwarp();

    uint32_t code[ITEMS], rank[ITEMS];
#pragma unroll
    for (uint32_t k = 0; k < ITEMS; k++) {
      const uint32_t j = (warp * ITEMS + k) * WARP + lane;
      code[k] = j < count ? from.keys[first + j] : ~0u;
      if (FIRST && j < count) code[k] = Key::code(code[k]);
      const uint32_t digit = code[k] >> shift & (radix - 1);
      const uint32_t same = __match_any_sync(0xffffffff, j < count ? digit : radix);
      rank[k] = j < count ? s_count[warp][digit] + __popc(same & lower) : 0;
      __syncwarp();
      if (j < count && !(same & lower)) s_count[warp][digit] += __popc(same);
      __syncwarp();
    }
    __syncthreads();

    uint32_t own = 0; // thread d: digit d of this tile
    if (t < radix)
      for (int w = 0; w < WARPS; w++) {
        const uint32_t c = s_count[w][t];
        s_count[w][t] = own;
        own += c;
      }
#ifdef EXCHANGE
    uint32_t all;
    const uint32_t start = over_block(own, &all);
    if (t < radix) {
      s_place[t] = begin[t] + look_back(states + t, tile, radix, own) - start;
      for (int w = 0; w < WARPS; w++) s_count[w][t] += start;
    }
    __syncthreads();
    uint32_t value[ITEMS];
#pragma unroll
    for (uint32_t k = 0; k < ITEMS; k++) {
      const uint32_t j = (warp * ITEMS + k) * WARP + lane;
      if (j >= count) continue;
      rank[k] += s_count[warp][code[k] >> shift & (radix - 1)];
      s_sorted[rank[k]] = code[k];
      if (to.values) value[k] = from.values[first + j];
    }
    __syncthreads();
    uint32_t place[ITEMS];
#pragma unroll
    for (uint32_t k = 0; k < ITEMS; k++) {
      const uint32_t j = k * THREADS + t;
      if (j >= count) continue;
      const uint32_t c = s_sorted[j];
      place[k] = s_place[c >> shift & (radix - 1)] + j;
      to.keys[place[k]] = LAST ? Key::key(c) : c;
    }
    if (to.values) {
      __syncthreads();
#pragma unroll
      for (uint32_t k = 0; k < ITEMS; k++)
        if ((warp * ITEMS + k) * WARP + lane < count) s_sorted[rank[k]] = value[k];
      __syncthreads();
#pragma unroll
      for (uint32_t k = 0; k < ITEMS; k++)
        if (k * THREADS + t < count) to.values[place[k]] = s_sorted[k * THREADS + t];
    }
#else
    if (t < radix) s_place[t] = begin[t] + look_back(states + t, tile, radix, own);
    __syncthreads();
#pragma unroll
    for (uint32_t k = 0; k < ITEMS; k++) {
      const uint32_t j = (warp * ITEMS + k) * WARP + lane, digit = code[k] >> shift & (radix - 1);
      if (j >= count) break;
      const uint32_t place = s_place[digit] + s_count[warp][digit] + rank[k];
      to.keys[place] = LAST ? Key::key(code[k]) : code[k];
      if (to.values) to.values[place] = from.values[first + j];
    }
#endif
  }
}

// The sort -------------------------------------------------------------------------------------------------

template <class Key> static cudaError_t sort_by(const lab06_args *a) {
  const int bits = a->bits, passes = (31 + bits) / bits;
  const uint32_t tiles = tiles_of(a->n);
  const bool values = a->values_in != nullptr;
  // tickets of the passes, table, states of all passes, then the other list
  const size_t head = (MAX_PASSES + TABLE) * 4, all_states = (size_t(passes) * tiles << bits) * sizeof(state);
  char *scratch, *at;
  SL_CUDA(cudaMalloc(&scratch, head + all_states + a->n * (values ? 8 : 4)));
  SL_CUDA(cudaMemset(scratch, 0, head + all_states));
  uint32_t *tickets = (uint32_t *)scratch, *table = tickets + MAX_PASSES;
  at = scratch + head;
  uint32_t *spare = (uint32_t *)(at + all_states);
  const pairs out = {(uint32_t *)a->keys_out, values ? a->values_out : nullptr};
  const pairs other = {spare, values ? spare + a->n : nullptr};

  const unsigned blocks = tiles < 1024 ? tiles : 1024;
  count_all_kernel<Key><<<blocks, THREADS>>>((const uint32_t *)a->keys_in, a->n, bits, passes, table);
  begin_kernel<<<passes, RADIX>>>(table, bits);
  pairs from = {(uint32_t *)a->keys_in, (uint32_t *)a->values_in};
  for (int p = 0; p < passes; p++) {
    const pairs to = (passes - p) % 2 ? out : other;
    state *states = (state *)at + (size_t(p) * tiles << bits);
    const auto kernel = p == 0 ? sweep_kernel<Key, true, false> : p == passes - 1 ? sweep_kernel<Key, false, true> : sweep_kernel<Key, false, false>;
    kernel<<<blocks_for(kernel, tiles), THREADS>>>(from, to, a->n, p * bits, bits, tiles, table + (p << bits), tickets + p, states);
    from = to;
  }
  const cudaError_t launched = cudaGetLastError(), freed = cudaFree(scratch);
  return launched ? launched : freed;
}

extern "C" cudaError_t lab06_sort(const lab06_args *a) {
  if (!a->n) return cudaSuccess;
  if (a->type == SL_F32) return sort_by<Float>(a);
  return a->type == SL_I32 ? sort_by<Signed>(a) : sort_by<Unsigned>(a);
}
