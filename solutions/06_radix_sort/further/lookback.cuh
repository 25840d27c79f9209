// The chain between the tiles of one launch: tickets, state words and look-back. Used by the scans
// and by the sort.
//
// A ticket is drawn from one 64-bit word {epoch, next ticket}. The block that draws the last ticket of a
// launch starts the next epoch with ticket 0, so that nothing has to be cleared between launches: a state
// word says in which epoch it was written, and words of other epochs count as empty. The memory must be zero
// before the very first launch.
//
// A state word is {epoch, flag, value} in 64 bits, written and read whole, so relaxed accesses are enough:
// the value that a reader takes is in the very word that says it is there. A value of 8 bytes takes two
// words, each with the same epoch and flag; a tile writes each flag once, so two words with equal flags
// belong together.
#ifndef FURTHER_LOOKBACK_CUH
#define FURTHER_LOOKBACK_CUH

#include <cuda_runtime.h>
#include <stdint.h>
#include <string.h>

#ifndef LOOKBACK_PAUSE
#define LOOKBACK_PAUSE 100 // ns between two looks at a state that is not there yet
#endif
#ifndef STATE_BYTES // bytes of a tile's state, at least; with more, the states spread over more cache lines
#define STATE_BYTES 64
#endif

enum {
  EMPTY = 0,
  SUM = 1,
  PREFIX = 2
}; // nothing yet; the tile's own sum; the sum of the tile and all before it

__device__ inline void store_relaxed(unsigned long long *p, unsigned long long x) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(p)), "l"(x) : "memory");
}

__device__ inline unsigned long long load_relaxed(const unsigned long long *p) {
  unsigned long long x;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(x) : "l"(__cvta_generic_to_global(p)) : "memory");
  return x;
}

struct ticket {
  uint32_t epoch, number;
};

// Draws one ticket; `draws` is how many the whole launch draws.
__device__ inline ticket draw_ticket(unsigned long long *counter, uint32_t draws) {
  const unsigned long long word = atomicAdd(counter, 1ull);
  const ticket mine = {uint32_t(word >> 32), uint32_t(word)};
  if (mine.number == draws - 1)
    atomicExch(counter, (unsigned long long)(mine.epoch + 1) << 32); // nobody draws again
  return mine;
}

// The tag of a state word: 30 bits of the epoch, never 0 in them for the first 2^30 launches, and the flag.
__device__ inline uint32_t tag_of(uint32_t epoch, uint32_t flag) { return (epoch + 1) << 2 | flag; }

// The flag of a word's tag in this epoch.
__device__ inline uint32_t flag_of(uint32_t tag, uint32_t epoch) {
  return tag >> 2 == tag_of(epoch, 0) >> 2 ? tag & 3 : EMPTY;
}

// The state of one tile of a scan of T, 4 or 8 bytes, in BYTES bytes.
template <class T, int BYTES = STATE_BYTES> struct __align__(BYTES) tile_state {
  static constexpr int WORDS = sizeof(T) / 4;
  unsigned long long word[WORDS];
};
template <class T> using packed_state = tile_state<T, 2 * sizeof(T)>; // without space between them

template <class T, int BYTES> __device__ inline void publish(tile_state<T, BYTES> *s, uint32_t tag, T value) {
  uint32_t half[tile_state<T>::WORDS];
  memcpy(half, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < tile_state<T>::WORDS; i++)
    store_relaxed(&s->word[i], (unsigned long long)tag << 32 | half[i]);
}

// Reads a state: returns its flag, and its value if the flag is not EMPTY.
template <class T, int BYTES>
__device__ inline uint32_t inspect(const tile_state<T, BYTES> *s, uint32_t epoch, T *value) {
  uint32_t half[tile_state<T>::WORDS], tag[tile_state<T>::WORDS];
#pragma unroll
  for (int i = 0; i < tile_state<T>::WORDS; i++) {
    const unsigned long long word = load_relaxed(&s->word[i]);
    half[i] = uint32_t(word);
    tag[i] = uint32_t(word >> 32);
  }
  memcpy(value, half, sizeof(T));
  return tag[0] == tag[tile_state<T>::WORDS - 1] ? flag_of(tag[0], epoch) : uint32_t(EMPTY);
}

// x of the lane `offset` lanes towards lane 31, or (shuffle_up) towards lane 0.
template <class T> __device__ inline T shuffle_down(T x, int offset) {
  uint32_t word[sizeof(T) / 4];
  memcpy(word, &x, sizeof(T));
#pragma unroll
  for (unsigned i = 0; i < sizeof(T) / 4; i++) word[i] = __shfl_down_sync(~0u, word[i], offset);
  memcpy(&x, word, sizeof(T));
  return x;
}

template <class T> __device__ inline T shuffle_up(T x, int offset) {
  uint32_t word[sizeof(T) / 4];
  memcpy(word, &x, sizeof(T));
#pragma unroll
  for (unsigned i = 0; i < sizeof(T) / 4; i++) word[i] = __shfl_up_sync(~0u, word[i], offset);
  memcpy(&x, word, sizeof(T));
  return x;
}

// x of one lane.
template <class T> __device__ inline T shuffle_from(T x, int lane) {
  uint32_t word[sizeof(T) / 4];
  memcpy(word, &x, sizeof(T));
#pragma unroll
  for (unsigned i = 0; i < sizeof(T) / 4; i++) word[i] = __shfl_sync(~0u, word[i], lane);
  memcpy(&x, word, sizeof(T));
  return x;
}

// Inclusive prefix of x over the warp. Collective.
template <class Op> __device__ inline typename Op::type warp_inclusive(typename Op::type x) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int offset = 1; offset < 32; offset *= 2) {
    const typename Op::type left = shuffle_up(x, offset);
    if (lane >= offset) x = Op::combine(left, x);
  }
  return x;
}

// What lies before `tile`: the sum of all tiles below it. Collective for one warp; valid in lane 0. Each lane
// reads READS states at once, so that one trip to memory shows 32 * READS tiles; the nearest 32 are lane 0
// (nearest) to lane 31.
template <class Op, int READS>
__device__ inline typename Op::type look_back(const tile_state<typename Op::type> *states, uint32_t tile,
                                              uint32_t epoch) {
  typedef typename Op::type T;
  const int lane = threadIdx.x % 32;
  T before = Op::identity();
  for (int64_t nearest = int64_t(tile) - 1 - lane;; nearest -= 32 * READS) {
    T value[READS];
    uint32_t flag[READS];
#pragma unroll
    for (int r = 0; r < READS; r++) {
      const int64_t i = nearest - r * 32;
      value[r] = Op::identity();
      flag[r] = i < 0 ? uint32_t(PREFIX) : inspect(&states[i], epoch, &value[r]); // before tile 0: nothing
    }
#pragma unroll
    for (int r = 0; r < READS; r++) {
      unsigned prefixes, needed;
      for (;;) { // all tiles up to the nearest prefix must be there
        prefixes = __ballot_sync(~0u, flag[r] == PREFIX);
        needed = prefixes ? (prefixes & (0u - prefixes)) * 2 - 1 : ~0u;
        if (!(__ballot_sync(~0u, flag[r] == EMPTY) & needed)) break;
        __nanosleep(LOOKBACK_PAUSE); // readers that ask all the time slow down the writers they wait for
        if (flag[r] != PREFIX) flag[r] = inspect(&states[nearest - r * 32], epoch, &value[r]);
      }
      T sum = needed >> lane & 1 ? value[r] : Op::identity();
#pragma unroll
      for (int offset = 1; offset < 32; offset *= 2) { // higher lanes are further left
        const T left = shuffle_down(sum, offset);
        if (lane + offset < 32) sum = Op::combine(left, sum);
      }
      before = Op::combine(sum, before);
      if (prefixes) return before;
    }
  }
}

#endif
