// Step 4: windows in place of look-back. A block remembers what lies before its own last tile. What lies
// before its next tile is that and the sums of the tiles from the one to the other, about one for each block.
// So it needs nothing but sums, and those are there as soon as their tiles are loaded: no tile waits for a
// prefix that itself had to wait.
//
// Tickets order the tiles by the time at which their loads begin, and a sum waits for nobody, so every wait
// ends. All blocks read the same few lines at about the same time, and readers hold up the writers they wait
// for: a sum is written COPIES times, and every COPIES-th block reads the same copy.
//
// Interface: window_chain, a Chain of pipeline.cuh.
#ifndef FURTHER_WINDOWS_CUH
#define FURTHER_WINDOWS_CUH

#include "lookback.cuh"

#ifndef WINDOW_PAUSE
#define WINDOW_PAUSE 20 // ns between two looks at sums that are not there yet
#endif
#ifndef WINDOW_LATER
#define WINDOW_LATER true
#endif

// The sum of the tiles from..to-1, in every lane of a warp. It reads 32 * READS of them at once: lane l the
// tiles from + l + 32 * r. Collective.
template <class Op, int READS>
__device__ inline typename Op::type window_sum(const packed_state<typename Op::type> *sums, int64_t from, int64_t to,
                                               uint32_t epoch) {
  typedef typename Op::type T;
  constexpr int WORDS = packed_state<T>::WORDS;
  const uint32_t tag = tag_of(epoch, SUM);
  T all = Op::identity();
  for (int64_t first = from + threadIdx.x % 32; from < to; from += 32 * READS, first += 32 * READS) {
    unsigned long long word[READS][WORDS];
#pragma unroll
    for (int i = 0; i < READS * WORDS; i++) { // all reads are under way before the first is looked at
      const int64_t tile = first + i / WORDS * 32;
      word[i / WORDS][i % WORDS] = tile < to ? load_relaxed(&sums[tile].word[i % WORDS]) : 0;
    }
    for (;;) {
      bool missing = false;
#pragma unroll
      for (int i = 0; i < READS * WORDS; i++)
        missing |= first + i / WORDS * 32 < to && uint32_t(word[i / WORDS][i % WORDS] >> 32) != tag;
      if (!__any_sync(~0u, missing)) break;
      __nanosleep(WINDOW_PAUSE);
#pragma unroll
      for (int i = 0; i < READS * WORDS; i++) {
        const int64_t tile = first + i / WORDS * 32;
        if (tile < to && uint32_t(word[i / WORDS][i % WORDS] >> 32) != tag)
          word[i / WORDS][i % WORDS] = load_relaxed(&sums[tile].word[i % WORDS]);
      }
    }
    T sum[READS];
#pragma unroll
    for (int r = 0; r < READS; r++) {
      uint32_t half[WORDS];
#pragma unroll
      for (int w = 0; w < WORDS; w++) half[w] = uint32_t(word[r][w]);
      sum[r] = Op::identity();
      if (first + r * 32 < to) memcpy(&sum[r], half, sizeof(T));
    }
#pragma unroll
    for (int offset = 1; offset < 32; offset *= 2) { // lane 0 gets the sum of all
#pragma unroll
      for (int r = 0; r < READS; r++) sum[r] = Op::combine(sum[r], shuffle_down(sum[r], offset));
    }
#pragma unroll
    for (int r = 0; r < READS; r++) all = Op::combine(all, sum[r]);
  }
  return shuffle_from(all, 0);
}

template <class Op, int READS, int COPIES> struct window_chain {
  typedef typename Op::type T;
  static constexpr bool LATER = WINDOW_LATER;
  packed_state<T> *sums; // COPIES times `tiles`
  int64_t tiles;
  __device__ void publish_sum(int64_t tile, uint32_t epoch, T total) const {
    const int copy = threadIdx.x % 32;
    if (copy < COPIES) publish(&sums[copy * tiles + tile], tag_of(epoch, SUM), total);
  }
  __device__ T before(int64_t tile, int64_t last, T before_last, uint32_t epoch) const {
    return Op::combine(before_last, window_sum<Op, READS>(sums + blockIdx.x % COPIES * tiles, last, tile, epoch));
  }
  __device__ void publish_prefix(int64_t, uint32_t, T) const {}
};

#endif
