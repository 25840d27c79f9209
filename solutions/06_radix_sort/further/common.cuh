// What check.cu and bench.cu share: the tuned shapes, random inputs, and an end for CUDA errors
// (scanlab/must.h).
#ifndef FURTHER_COMMON_CUH
#define FURTHER_COMMON_CUH

#include "scan.cuh"
#include "scanlab/must.h"
#include "sort.cuh"
#include <stdio.h>
#include <stdlib.h>

// The shapes that were fastest on an H200; NOTES.md says what the others gave. -DSCAN_WARPS=.. tries another
// one.
#ifndef SCAN_WARPS
#define SCAN_WARPS 14
#endif
#ifndef SCAN_VECTORS
#define SCAN_VECTORS 5
#endif
#ifndef SCAN_STAGES
#define SCAN_STAGES 6
#endif
#ifndef SCAN_BLOCKS
#define SCAN_BLOCKS 1
#endif
#ifndef SCAN_READS
#define SCAN_READS 1
#endif
#ifndef WINDOW_WARPS // for step 4, elements of 4 bytes
#define WINDOW_WARPS 7
#endif
#ifndef WINDOW_VECTORS
#define WINDOW_VECTORS 11
#endif
#ifndef WINDOW_STAGES
#define WINDOW_STAGES 5
#endif
#ifndef SORT_THREADS // for sorts of keys alone
#define SORT_THREADS 256
#endif
#ifndef SORT_ITEMS
#define SORT_ITEMS 52
#endif
#ifndef SORT_BLOCKS
#define SORT_BLOCKS 3
#endif
#ifndef PAIR_THREADS
#define PAIR_THREADS 384
#endif
#ifndef PAIR_ITEMS
#define PAIR_ITEMS 32
#endif
#ifndef PAIR_BLOCKS
#define PAIR_BLOCKS 2
#endif
#ifndef SORT_READS
#define SORT_READS 4
#endif
#ifndef SMALL_SORT_THREADS // where n is small
#define SMALL_SORT_THREADS 512
#endif
#ifndef SMALL_SORT_ITEMS
#define SMALL_SORT_ITEMS 16
#endif
#ifndef SMALL_SORT_BLOCKS
#define SMALL_SORT_BLOCKS 3
#endif
#ifndef SMALL_SORT_N
#define SMALL_SORT_N (1 << 23)
#endif

template <class T> using tuned_scan = scan_shape<T, SCAN_WARPS, SCAN_VECTORS>; // steps 2 and 3
template <class T> struct window_tuning { // step 4
  static constexpr bool WORD = sizeof(T) == 4;
  typedef scan_shape<T, WORD ? WINDOW_WARPS : SCAN_WARPS, WORD ? WINDOW_VECTORS : SCAN_VECTORS> shape;
  static constexpr int STAGES = WORD ? WINDOW_STAGES : SCAN_STAGES;
};
using tuned_sort = sort_shapes<sort_shape<SORT_THREADS, SORT_ITEMS, SORT_READS, SORT_BLOCKS>,
                               sort_shape<PAIR_THREADS, PAIR_ITEMS, SORT_READS, PAIR_BLOCKS>,
                               sort_shape<SMALL_SORT_THREADS, SMALL_SORT_ITEMS, SORT_READS, SMALL_SORT_BLOCKS>,
                               SMALL_SORT_N>;

// A hash with good bits everywhere (splitmix64), low half.
__host__ __device__ inline uint32_t random_word(uint64_t seed, uint64_t i) {
  uint64_t z = seed * 0x9e3779b97f4a7c15ull + i * 0xd1342543de82ef95ull + 0x2545f4914f6cdd1dull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return uint32_t(z ^ z >> 31);
}

#endif
