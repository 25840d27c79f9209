// Radix sort, a pass in one launch: the last step of the ladder.
//
//   step 1  ../kernel.cu, bits 1     a scan of one bit and a split: 32 passes, 5 words an element each
//   step 2  ../kernel.cu, bits 4, 8  count, scan, scatter: 8 or 4 passes, 3 words an element each
//   step 3  onesweep_sort            8 bits, one kernel a pass: 2 words an element each, and 1 for all the
//   counts up front
//
// Interface: sort_plan_new once for the greatest n, then onesweep_sort any number of times on one stream.
// Stable, ascending; f32 by IEEE 754 totalOrder. n < 2^32.
#ifndef FURTHER_SORT_CUH
#define FURTHER_SORT_CUH

#include "lookback.cuh"

#ifndef SL_CUDA
#define SL_CUDA(call)                                                                                        \
  do {                                                                                                       \
    cudaError_t sl_cuda_error_ = (call);                                                                     \
    if (sl_cuda_error_ != cudaSuccess) return sl_cuda_error_;                                                \
  } while (0)
#endif

#ifndef SORT_PAUSE
#define SORT_PAUSE 100 // ns between two looks at a state that is not there yet
#endif

enum { DIGIT_BITS = 8, RADIX = 1 << DIGIT_BITS, PASSES = 32 / DIGIT_BITS };
enum key_type { KEY_U32, KEY_I32, KEY_F32 };

// The unsigned number that orders like the key, and back.
__device__ inline uint32_t key_encode(uint32_t bits, key_type type) {
  if (type == KEY_U32) return bits;
  if (type == KEY_I32) return bits ^ 0x80000000u;
  return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}

__device__ inline uint32_t key_decode(uint32_t code, key_type type) {
  if (type == KEY_U32) return code;
  if (type == KEY_I32) return code ^ 0x80000000u;
  return code ^ (code >> 31 ? 0x80000000u : 0xffffffffu);
}

// What the launches of a sort share in device memory. All zero before the first sort.
struct sort_shared {
  unsigned long long tickets; // see lookback.cuh
  uint32_t blocks_done;
  uint32_t count[PASSES][RADIX]; // zero between sorts
  uint32_t start[PASSES][RADIX]; // how many keys have a smaller digit
};

// Exclusive prefix of x over the first RADIX threads of the block; s_warp: RADIX / 32 words. Collective for
// the block.
__device__ inline uint32_t radix_exclusive_sum(uint32_t x, uint32_t *s_warp) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  uint32_t sum = x;
#pragma unroll
  for (int offset = 1; offset < 32; offset *= 2) {
    const uint32_t left = __shfl_up_sync(~0u, sum, offset);
    if (lane >= offset) sum += left;
  }
  if (lane == 31 && warp < RADIX / 32) s_warp[warp] = sum;
  __syncthreads();
  if (threadIdx.x < RADIX) {
    for (int w = 0; w < warp; w++) sum += s_warp[w];
  }
  return sum - x;
}

// ---- All counts up front ----------------------------------------------------------------------------------

enum { COUNT_BLOCK = 256, COUNT_ITEMS = 16 };

/* Kernel:   count_digits_kernel — counts every digit of every pass; the last block to finish turns counts
 * into starts Launch:   any grid, block = COUNT_BLOCK (= RADIX) Shared:   static, PASSES*RADIX + 9 words
 * (4132 bytes) Work:     PASSES atomic adds in shared memory a key   Steps: n / threads   Barriers: 4 to 8
 * Valid in: shared->start, written by the last block   In-place: -
 * Source:   Adinets and Merrill, Onesweep, arXiv 2206.01784 */
__global__ void __launch_bounds__(COUNT_BLOCK)
    count_digits_kernel(const uint32_t *keys, uint32_t n, key_type type, sort_shared *shared) {
  __shared__ uint32_t s_count[PASSES][RADIX], s_warp[RADIX / 32], s_last;
  const int t = threadIdx.x;
#pragma unroll
  for (int p = 0; p < PASSES; p++) s_count[p][t] = 0;
  __syncthreads();
  const uint64_t step = uint64_t(gridDim.x) * COUNT_BLOCK * COUNT_ITEMS;
  for (uint64_t base = uint64_t(blockIdx.x) * COUNT_BLOCK * COUNT_ITEMS; base < n; base += step) {
    uint32_t key[COUNT_ITEMS];
#pragma unroll
    for (int k = 0; k < COUNT_ITEMS; k++) {
      const uint64_t i = base + k * COUNT_BLOCK + t;
      key[k] = i < n ? __ldg(&keys[i]) : 0;
    }
#pragma unroll
    for (int k = 0; k < COUNT_ITEMS; k++) {
      if (base + k * COUNT_BLOCK + t >= n) continue;
      const uint32_t code = key_encode(key[k], type);
#pragma unroll
      for (int p = 0; p < PASSES; p++) atomicAdd(&s_count[p][code >> (p * DIGIT_BITS) & (RADIX - 1)], 1u);
    }
  }
  __syncthreads();
#pragma unroll
  for (int p = 0; p < PASSES; p++) {
    if (s_count[p][t]) atomicAdd(&shared->count[p][t], s_count[p][t]);
  }
  __threadfence(); // the counts before the news that this block is done
  __syncthreads();
  if (t == 0) s_last = atomicAdd(&shared->blocks_done, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!s_last) return;
  __threadfence();
  for (int p = 0; p < PASSES; p++) {
    shared->start[p][t] = radix_exclusive_sum(atomicExch(&shared->count[p][t], 0u), s_warp);
    __syncthreads();
  }
  if (t == 0) shared->blocks_done = 0;
}

// ---- One pass ---------------------------------------------------------------------------------------------

// How the lanes of a warp that hold the same digit find each other.
enum match_by { BY_BALLOTS, BY_MATCH };

template <match_by M> __device__ inline unsigned peers_of(uint32_t digit) {
  if (M == BY_MATCH) return __match_any_sync(~0u, digit);
  unsigned peers = ~0u; // bit by bit: keep the lanes whose bit is like mine
#pragma unroll
  for (int bit = 0; bit < DIGIT_BITS; bit++) {
    // As in C: mine = digit >> bit & 1; set = __ballot_sync(~0u, mine); like_me = mine ? set : ~set. The
    // compiler does not move volatile asm, so the rows stay one after the other and one row's registers serve
    // the next.
    unsigned like_me;
    asm volatile("{\n.reg .pred p;\n.reg .b32 b;\nand.b32 b, %1, %2;\nsetp.ne.u32 p, b, 0;\n"
                 "vote.sync.ballot.b32 %0, p, 0xffffffff;\n@!p not.b32 %0, %0;\n}"
                 : "=r"(like_me)
                 : "r"(digit), "r"(1u << bit));
    peers &= like_me;
  }
  return peers;
}

// READS: how many tiles a step of the look-back covers. BLOCKS: resident at once on a multiprocessor, bounds
// the registers.
template <int THREADS_, int ITEMS_, match_by MATCH_, int READS_, int BLOCKS_> struct sort_shape {
  static constexpr int THREADS = THREADS_, ITEMS = ITEMS_, WARPS = THREADS / 32, TILE = THREADS * ITEMS;
  static constexpr match_by MATCH = MATCH_;
  static constexpr int READS = READS_, BLOCKS = BLOCKS_;
  static constexpr int TILE_WORDS = TILE + TILE / 32; // see spread()
  // The counts and the tile take turns in the same memory.
  static constexpr int SHARED_WORDS = TILE_WORDS > WARPS *RADIX ? TILE_WORDS : WARPS *RADIX;
};

// Where element i of the tile in its new order lies in shared memory. Without the extra word in 33, sorted
// input, which puts neighbouring keys TILE/RADIX places apart, would meet a single bank.
__device__ inline uint32_t spread(uint32_t i) { return i + i / 32; }

// Makes the compiler forget what it knows about x, so that it computes digits and addresses again where they
// are needed instead of keeping one for every key in registers from here to there.
__device__ inline void forget(uint32_t &x) { asm volatile("" : "+r"(x)); }

struct sort_pass {
  const uint32_t *keys, *values; // values: null for keys alone
  uint32_t *keys_out, *values_out;
  uint32_t n, tiles;
  int pass;
  key_type type;
};

// How many keys of this thread's digit lie in the tiles before. READS states at a time.
template <int READS>
__device__ inline uint32_t digit_look_back(const unsigned long long *states, uint32_t tile, uint32_t epoch) {
  uint32_t before = 0;
  for (int64_t nearest = int64_t(tile) - 1; nearest >= 0;) {
    unsigned long long word[READS];
#pragma unroll
    for (int r = 0; r < READS; r++) {
      const int64_t i = nearest - r < 0 ? 0 : nearest - r;
      word[r] = load_relaxed(&states[i * RADIX + threadIdx.x]);
    }
#pragma unroll
    for (int r = 0; r < READS; r++) {
      const uint32_t flag = flag_of(uint32_t(word[r] >> 32), epoch);
      if (flag == EMPTY) { // read it again, and those after it
        if (SORT_PAUSE > 0) __nanosleep(SORT_PAUSE);
        break;
      }
      before += uint32_t(word[r]);
      if (flag == PREFIX) return before;
      nearest--;
    }
  }
  return before;
}

/* Kernel:   onesweep_kernel — moves every key (and value) to its place by one digit, stably, in one launch
 * Launch:   grid = ceil(n/TILE), block = THREADS; warp w takes keys w*32*ITEMS.. of the tile, 32 at a time
 * Shared:   dynamic, SHARED_WORDS words; static, RADIX + RADIX/32 words and the ticket
 * Work:     one match, two look-ups a key; WARPS + look-back a digit   Steps: ITEMS + WARPS, then one
 * look-back Barriers: 7 (pairs: 9) Valid in: keys_out[0..n)   In-place: no Source:   Adinets and Merrill,
 * Onesweep, arXiv 2206.01784 */
template <class S, bool PAIRS>
__global__ void __launch_bounds__(S::THREADS, S::BLOCKS)
    onesweep_kernel(sort_pass a, sort_shared *shared, unsigned long long *states) {
  extern __shared__ uint32_t
      s_words[]; // first the counts of each warp and digit, then the tile in its new order
  __shared__ uint32_t s_place[RADIX], s_warp[RADIX / 32];
  __shared__ ticket s_ticket;
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int shift = a.pass * DIGIT_BITS;
  uint32_t *s_count = s_words + warp * RADIX;
  if (t == 0) s_ticket = draw_ticket(&shared->tickets, a.tiles);
#pragma unroll
  for (int d = 0; d < RADIX; d += 32) s_count[d + lane] = 0;
  __syncthreads();
  const uint32_t tile = s_ticket.number, epoch = s_ticket.epoch;
  const uint32_t base = tile * S::TILE, size = min(uint32_t(S::TILE), a.n - base);
  const uint32_t mine = warp * (32 * S::ITEMS) + lane; // this lane's first key in the tile
  const bool whole = size == S::TILE;

  const uint32_t *from = a.keys + base + mine;
  uint32_t key[S::ITEMS];
#pragma unroll
  for (int k = 0; k < S::ITEMS; k++) { // past the end: the greatest key, which stays behind all others
    key[k] = whole || mine + k * 32 < size ? from[k * 32] : 0;
    if (a.pass == 0) key[k] = key_encode(key[k], a.type);
    if (!whole && mine + k * 32 >= size) key[k] = ~0u;
  }

  // Rank among the keys of the same digit in this warp, in the order of the input.
  uint16_t rank[S::ITEMS];
#pragma unroll
  for (int k = 0; k < S::ITEMS; k++) {
    const uint32_t digit = key[k] >> shift & (RADIX - 1);
    const unsigned peers = peers_of<S::MATCH>(digit);
    const unsigned below = __popc(peers & ((1u << lane) - 1));
    const uint32_t before = s_count[digit];
    __syncwarp(); // all have read before the first of the peers writes
    if (below == 0) s_count[digit] = before + __popc(peers);
    __syncwarp();
    rank[k] = uint16_t(before + below);
    forget(key[k]);
  }
  __syncthreads();

  // Thread d sums up digit d over the warps, tells the other tiles, and turns the counts into places in the
  // tile.
  uint32_t total = 0;
  if (t < RADIX) {
#pragma unroll
    for (int w = 0; w < S::WARPS; w++) {
      const uint32_t count = s_words[w * RADIX + t];
      s_words[w * RADIX + t] = total;
      total += count;
    }
    store_relaxed(&states[size_t(tile) * RADIX + t],
                  (unsigned long long)tag_of(epoch, tile == 0 ? PREFIX : SUM) << 32 | total);
  }
  const uint32_t start = radix_exclusive_sum(total, s_warp);
  if (t < RADIX) s_place[t] = start;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < S::ITEMS; k++) {
    const uint32_t digit = key[k] >> shift & (RADIX - 1);
    rank[k] = uint16_t(spread(rank[k] + s_count[digit] + s_place[digit]));
    forget(key[k]);
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < S::ITEMS; k++) s_words[rank[k]] = key[k];

  // Where the tile's first key of digit d goes, less its place in the tile.
  if (t < RADIX) {
    uint32_t before = 0;
    if (tile > 0) {
      before = digit_look_back<S::READS>(states, tile, epoch);
      store_relaxed(&states[size_t(tile) * RADIX + t],
                    (unsigned long long)tag_of(epoch, PREFIX) << 32 | uint32_t(before + total));
    }
    s_place[t] = shared->start[a.pass][t] + before - start; // modulo 2^32
  }
  uint32_t value[PAIRS ? S::ITEMS : 1];
  if (PAIRS) {
    const uint32_t *values_from = a.values + base + mine;
#pragma unroll
    for (int k = 0; k < S::ITEMS; k++) value[k] = mine + k * 32 < size ? values_from[k * 32] : 0;
  }
  __syncthreads();

  // Neighbouring threads hold neighbouring keys of the new order: runs of one digit go out together.
  uint32_t place[PAIRS ? S::ITEMS : 1];
#pragma unroll(PAIRS ? S::ITEMS : 4)
  for (int k = 0; k < S::ITEMS; k++) {
    const uint32_t j = k * S::THREADS + t;
    const uint32_t code = s_words[spread(j)];
    const uint32_t to = s_place[code >> shift & (RADIX - 1)] + j;
    if (PAIRS) place[k] = to;
    if (whole || j < size) a.keys_out[to] = a.pass == PASSES - 1 ? key_decode(code, a.type) : code;
  }
  if (PAIRS) {
    __syncthreads();
#pragma unroll
    for (int k = 0; k < S::ITEMS; k++) s_words[rank[k]] = value[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < S::ITEMS; k++) {
      const uint32_t j = k * S::THREADS + t;
      if (whole || j < size) a.values_out[place[k]] = s_words[spread(j)];
    }
  }
}

// ---- Launchers --------------------------------------------------------------------------------------------

// Temporary device memory of sorts of up to n keys, with values or without, for one stream at a time.
struct sort_plan {
  sort_shared *shared;
  unsigned long long *states;
  uint32_t *keys, *values;
  int count_grid;
};

template <class S> cudaError_t sort_plan_new(sort_plan *p, size_t n, bool pairs) {
  const size_t states = ((n + S::TILE - 1) / S::TILE) * RADIX * sizeof(unsigned long long);
  int device, sms;
  *p = sort_plan{};
  SL_CUDA(cudaGetDevice(&device));
  SL_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  p->count_grid = sms * 8;
  const int bytes = S::SHARED_WORDS * 4;
  SL_CUDA(
      cudaFuncSetAttribute(onesweep_kernel<S, false>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  SL_CUDA(cudaFuncSetAttribute(onesweep_kernel<S, true>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  SL_CUDA(cudaMalloc((void **)&p->shared, sizeof(sort_shared)));
  SL_CUDA(cudaMemset(p->shared, 0, sizeof(sort_shared)));
  SL_CUDA(cudaMalloc((void **)&p->states, states + 1));
  SL_CUDA(cudaMemset(p->states, 0, states + 1));
  SL_CUDA(cudaMalloc((void **)&p->keys, n * 4 + 4));
  return pairs ? cudaMalloc((void **)&p->values, n * 4 + 4) : cudaSuccess;
}

inline cudaError_t sort_plan_free(sort_plan *p) {
  SL_CUDA(cudaFree(p->shared));
  SL_CUDA(cudaFree(p->states));
  SL_CUDA(cudaFree(p->keys));
  return cudaFree(p->values);
}

// Sorts keys_in into keys_out and, unless values_in is null, values_in into values_out with them. The inputs
// stay.
template <class S>
cudaError_t onesweep_sort(const sort_plan *p, const uint32_t *keys_in, uint32_t *keys_out,
                          const uint32_t *values_in, uint32_t *values_out, size_t n, key_type type,
                          cudaStream_t stream) {
  if (n == 0) return cudaSuccess;
  if (n > UINT32_MAX - S::TILE) return cudaErrorInvalidValue; // places are 32-bit words
  const unsigned wanted = unsigned((n + COUNT_BLOCK * COUNT_ITEMS - 1) / (COUNT_BLOCK * COUNT_ITEMS));
  const unsigned grid = wanted < unsigned(p->count_grid) ? wanted : unsigned(p->count_grid);
  count_digits_kernel<<<grid, COUNT_BLOCK, 0, stream>>>(keys_in, uint32_t(n), type, p->shared);
  SL_CUDA(cudaGetLastError());
  sort_pass a = {keys_in, values_in, p->keys, p->values, uint32_t(n), uint32_t((n + S::TILE - 1) / S::TILE),
                 0,       type};
  for (a.pass = 0; a.pass < PASSES; a.pass++) { // in -> plan's -> out -> plan's -> out
    if (values_in)
      onesweep_kernel<S, true><<<a.tiles, S::THREADS, S::SHARED_WORDS * 4, stream>>>(a, p->shared, p->states);
    else
      onesweep_kernel<S, false>
          <<<a.tiles, S::THREADS, S::SHARED_WORDS * 4, stream>>>(a, p->shared, p->states);
    SL_CUDA(cudaGetLastError());
    a.keys = a.keys_out;
    a.values = a.values_out;
    a.keys_out = a.pass % 2 == 0 ? keys_out : p->keys;
    a.values_out = a.pass % 2 == 0 ? values_out : p->values;
  }
  return cudaSuccess;
}

#endif
