// One pass of the sort in one launch: every key (and value) goes to its place by one digit, stably.
//
// A block takes a tile of the keys and works in five steps:
//   count     each warp counts its digits in shared memory
//   sum up    thread d knows how many keys of digit d the tile has, tells the other tiles, and learns
//             where the keys of each digit and warp begin in the tile's new order
//   rank      each key finds its place in that order and goes there, in shared memory
//   look back thread d learns how many keys of digit d the tiles before have
//   write     neighbouring threads hold neighbouring keys of the new order: runs of one digit go out together
//
// Interface: sort_shape, sort_pass, onesweep_kernel. sort.cuh launches it.
#ifndef FURTHER_ONESWEEP_CUH
#define FURTHER_ONESWEEP_CUH

#include "digits.cuh"
#include "lookback.cuh"

#ifndef SORT_PAUSE
#define SORT_PAUSE 100 // ns between two looks at a state that is not there yet
#endif

// ITEMS keys a thread. READS: how many tiles a step of the look-back covers. BLOCKS: resident at once on a
// multiprocessor, bounds the registers.
template <int THREADS_, int ITEMS_, int READS_, int BLOCKS_> struct sort_shape {
  static constexpr int THREADS = THREADS_, ITEMS = ITEMS_, WARPS = THREADS / 32, TILE = THREADS * ITEMS;
  static constexpr int READS = READS_, BLOCKS = BLOCKS_;
  static constexpr int COUNTS = WARPS * RADIX, TILE_WORDS = TILE + TILE / 32; // see spread()
  static constexpr int shared_bytes(bool pairs) { return 4 * (COUNTS + (pairs ? 2 : 1) * TILE_WORDS); }
  static_assert(THREADS >= RADIX, "thread d does the sums of digit d");
};

struct sort_pass {
  const uint32_t *keys, *values; // values: null for keys alone
  uint32_t *keys_out, *values_out;
  uint32_t n, tiles;
  int pass;
  key_type type;
  uint32_t minus_one; // see like_me()
};

// Where element i of the tile in its new order lies in shared memory. Without the extra word in 33, sorted
// input, which puts neighbouring keys TILE/RADIX places apart, would meet in few banks.
__device__ inline uint32_t spread(uint32_t i) { return i + i / 32; }

// Makes the compiler forget what it knows about x, so that it computes digits and addresses again where they
// are needed instead of keeping one for every key in registers from here to there.
__device__ inline void forget(uint32_t &x) { asm volatile("" : "+r"(x)); }

// The lanes whose digit has this bit like mine: set = __ballot_sync(~0u, digit & bit); digit & bit ? set :
// ~set. The logic unit of the multiprocessor is the busiest, so ~set is written as set * -1 - 1, which the
// multiplier does; it must not see that -1 is a constant, or it would turn this into logic again. Volatile,
// so the ballots stay one after the other, and one's registers serve the next.
__device__ inline unsigned like_me(uint32_t digit, uint32_t bit, uint32_t minus_one) {
  unsigned lanes;
  asm volatile("{\n.reg .pred p;\n.reg .b32 b;\nand.b32 b, %1, %2;\nsetp.ne.u32 p, b, 0;\n"
               "vote.sync.ballot.b32 %0, p, 0xffffffff;\n@!p mad.lo.u32 %0, %0, %3, %3;\n}"
               : "=r"(lanes)
               : "r"(digit), "r"(bit), "r"(minus_one));
  return lanes;
}

// The lanes that hold the same digit as this one.
__device__ inline unsigned peers_of(uint32_t digit, uint32_t minus_one) {
  unsigned peers = ~0u;
#pragma unroll
  for (int bit = 0; bit < DIGIT_BITS; bit += 2) { // two bits an instruction: peers &= low & high
    const unsigned low = like_me(digit, 1u << bit, minus_one), high = like_me(digit, 2u << bit, minus_one);
    asm("lop3.b32 %0, %0, %1, %2, 0x80;" : "+r"(peers) : "r"(low), "r"(high));
  }
  return peers;
}

// item[k] = from[k * 32], or 0 past the end of the tile. mine: the lane's first element in the tile.
template <class S>
__device__ inline void load_items(uint32_t (&item)[S::ITEMS], const uint32_t *from, uint32_t mine,
                                  uint32_t size) {
  if (size == S::TILE) {
#pragma unroll
    for (int k = 0; k < S::ITEMS; k++) item[k] = from[k * 32];
  } else {
#pragma unroll
    for (int k = 0; k < S::ITEMS; k++) item[k] = mine + k * 32 < size ? from[k * 32] : 0;
  }
}

// The codes of this lane's keys; past the end the greatest, which stays behind all others.
template <class S>
__device__ inline void load_codes(uint32_t (&code)[S::ITEMS], const sort_pass &a, uint32_t base,
                                  uint32_t mine, uint32_t size) {
  load_items<S>(code, a.keys + base + mine, mine, size);
  if (a.pass == 0 && a.type != KEY_U32) {
#pragma unroll
    for (int k = 0; k < S::ITEMS; k++) code[k] = key_encode(code[k], a.type);
  }
  if (size < S::TILE) {
#pragma unroll
    for (int k = 0; k < S::ITEMS; k++) code[k] = mine + k * 32 < size ? code[k] : ~0u;
  }
}

// Each key goes to its place in the tile, in the order of the input among equal digits. s_count: of this
// warp, the place of its next key of each digit. Collective for the warp.
template <class S, bool PAIRS>
__device__ inline void rank_items(uint32_t (&code)[S::ITEMS], const uint32_t *value, const sort_pass &a,
                                  uint32_t *s_count, uint32_t *s_codes, uint32_t *s_values) {
  const unsigned below_me = (1u << threadIdx.x % 32) - 1, above_me = ~below_me << 1;
#pragma unroll
  for (int k = 0; k < S::ITEMS; k++) {
    const uint32_t digit = digit_of(code[k], a.pass);
    const unsigned peers = peers_of(digit, a.minus_one);
    const uint32_t place = s_count[digit] + __popc(peers & below_me);
    __syncwarp(); // all have read before the last of the peers writes
    if (!(peers & above_me)) s_count[digit] = place + 1;
    __syncwarp();
    s_codes[spread(place)] = code[k];
    if (PAIRS) s_values[spread(place)] = value[k];
  }
}

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

// Writes the tile in its new order: element j goes to s_place[its digit] + j. WHOLE: the tile is; DECODE: the
// pass may be the last one, and keys go out as they were given. Keys are stored as not to be needed soon,
// which leaves the cache to the states.
template <class S, bool PAIRS, bool WHOLE, bool DECODE>
__device__ inline void write_items(const sort_pass &a, uint32_t size, const uint32_t *s_place,
                                   const uint32_t *s_codes, const uint32_t *s_values) {
  const key_type type = a.pass == PASSES - 1 ? a.type : KEY_U32;
  const uint32_t mine = spread(threadIdx.x);
#pragma unroll(WHOLE ? S::ITEMS : 4)
  for (int k = 0; k < S::ITEMS; k++) {
    const uint32_t j = k * S::THREADS + threadIdx.x, at = k * (S::THREADS + S::WARPS) + mine; // spread(j)
    const uint32_t code = s_codes[at], to = s_place[digit_of(code, a.pass)] + j;
    if (!WHOLE && j >= size) continue;
    __stcs(&a.keys_out[to], DECODE ? key_decode(code, type) : code);
    if (PAIRS) a.values_out[to] = s_values[at];
  }
}

/* Kernel:   onesweep_kernel — moves every key (and value) to its place by one digit, stably, in one launch
 * Launch:   grid = ceil(n/TILE), block = THREADS; warp w takes keys w*32*ITEMS.. of the tile, 32 at a time
 * Shared:   dynamic, S::shared_bytes(PAIRS); static, RADIX + RADIX/32 words and the ticket
 * Work:     two look-ups and one atomic add a key; WARPS + look-back a digit
 * Steps:    ITEMS + WARPS, then one look-back
 * Barriers: 5
 * Valid in: keys_out[0..n), values_out[0..n)
 * In-place: no
 * Source:   Adinets and Merrill, Onesweep, arXiv 2206.01784 */
template <class S, bool PAIRS>
__global__ void __launch_bounds__(S::THREADS, S::BLOCKS)
    onesweep_kernel(sort_pass a, sort_shared *shared, unsigned long long *states) {
  extern __shared__ uint32_t s_words[]; // counts of each warp and digit, then the tile in its new order
  __shared__ uint32_t s_place[RADIX], s_warp[RADIX / 32];
  __shared__ ticket s_ticket;
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  uint32_t *s_count = s_words + warp * RADIX, *s_codes = s_words + S::COUNTS,
           *s_values = s_codes + S::TILE_WORDS;
  if (t == 0) s_ticket = draw_ticket(&shared->tickets, a.tiles);
#pragma unroll
  for (int d = 0; d < RADIX; d += 32) s_count[d + lane] = 0;
  __syncthreads();
  const uint32_t tile = s_ticket.number, epoch = s_ticket.epoch;
  const uint32_t base = tile * S::TILE, size = min(uint32_t(S::TILE), a.n - base);
  const uint32_t mine = warp * (32 * S::ITEMS) + lane; // this lane's first key in the tile

  uint32_t code[S::ITEMS], value[PAIRS ? S::ITEMS : 1];
  load_codes<S>(code, a, base, mine, size);
#pragma unroll
  for (int k = 0; k < S::ITEMS; k++) {
    atomicAdd(&s_count[digit_of(code[k], a.pass)], 1u);
    forget(code[k]);
  }
  __syncthreads();

  unsigned long long *state = &states[size_t(tile) * RADIX + t]; // thread d has that of digit d
  uint32_t total = 0;
  if (t < RADIX) {
#pragma unroll
    for (int w = 0; w < S::WARPS; w++) total += s_words[w * RADIX + t];
    store_relaxed(state, (unsigned long long)tag_of(epoch, tile == 0 ? PREFIX : SUM) << 32 | total);
  }
  const uint32_t start = radix_exclusive_sum(total, s_warp);
  if (t < RADIX) {
    uint32_t place = start;
#pragma unroll
    for (int w = 0; w < S::WARPS; w++) {
      const uint32_t count = s_words[w * RADIX + t];
      s_words[w * RADIX + t] = place;
      place += count;
    }
  }
  if constexpr (PAIRS) load_items<S>(value, a.values + base + mine, mine, size);
  __syncthreads();

  rank_items<S, PAIRS>(code, value, a, s_count, s_codes, s_values);

  // Where the tile's first key of digit d goes, less its place in the tile.
  if (t < RADIX) {
    uint32_t before = 0;
    if (tile > 0) {
      before = digit_look_back<S::READS>(states, tile, epoch);
      store_relaxed(state, (unsigned long long)tag_of(epoch, PREFIX) << 32 | uint32_t(before + total));
    }
    s_place[t] = shared->start[a.pass][t] + before - start; // modulo 2^32
  }
  __syncthreads();

  const bool decode = a.pass == PASSES - 1 && a.type != KEY_U32;
  if (size < S::TILE)
    write_items<S, PAIRS, false, true>(a, size, s_place, s_codes, s_values);
  else if (decode)
    write_items<S, PAIRS, true, true>(a, size, s_place, s_codes, s_values);
  else
    write_items<S, PAIRS, true, false>(a, size, s_place, s_codes, s_values);
}

#endif
