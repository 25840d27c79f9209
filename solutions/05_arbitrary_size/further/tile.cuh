// What the steps b to e of the ladder are made of: the shape of a tile, how its elements come and go, how the
// totals of a block's threads are scanned.
//
// A tile has one chunk of 32 * ITEMS elements for each warp, and a lane works on ITEMS neighbours of its
// warp's chunk. In global memory neighbouring lanes take neighbouring words; the way from one order to the
// other leads through the warp's own slot of shared memory, so no thread waits for another warp.
#ifndef LADDER_TILE_CUH
#define LADDER_TILE_CUH

#include "../../../harness/include/scanlab/lab.h"
#include <string.h>

namespace lab05 {
#include "../kernel.cu" // operators, and the kernels of step a

// Shapes that were fastest on an H200 (NOTES.md). Both ITEMS are odd in units of one access, so 32 lanes that
// are ITEMS apart fall into 32 different banks: no padding.
#ifndef TILE_THREADS
#define TILE_THREADS 256
#endif
#ifndef TILE_ITEMS // step b: elements a thread, of 4 bytes
#define TILE_ITEMS 11
#endif
#ifndef TILE_VECTORS // steps c to e: 16-byte vectors a thread
#define TILE_VECTORS 5
#endif
#ifndef RANGE_WARPS // step e: ranges a multiprocessor
#define RANGE_WARPS 32
#endif

enum { THREADS = TILE_THREADS, WARPS = THREADS / 32 };

__device__ inline int lane_id() { return threadIdx.x % 32; }
__device__ inline int warp_id() { return threadIdx.x / 32; }

// ---- Elements: two ways to load and store a chunk. Both are collective for a warp; `slot` is its own ------

// Word by word. Past the end there is the identity.
template <class Op, int ITEMS_> struct by_words {
  typedef typename Op::T T;
  static constexpr int ITEMS = ITEMS_, CHUNK = 32 * ITEMS;

  __device__ static void load(T (&x)[ITEMS], const T *in, size_t first, size_t n, T *slot) {
    for (int k = lane_id(); k < CHUNK; k += 32) slot[k] = first + k < n ? in[first + k] : Op::identity();
    __syncwarp();
#pragma unroll
    for (int k = 0; k < ITEMS; k++) x[k] = slot[lane_id() * ITEMS + k];
  }

  __device__ static void store(T *out, const T (&x)[ITEMS], size_t first, size_t n, T *slot) {
    __syncwarp(); // all lanes have read what load() put there
#pragma unroll
    for (int k = 0; k < ITEMS; k++) slot[lane_id() * ITEMS + k] = x[k];
    __syncwarp();
    for (int k = lane_id(); k < CHUNK; k += 32)
      if (first + k < n) out[first + k] = slot[k];
    __syncwarp(); // the slot is free for the next load()
  }
};

// 16 bytes at a time where the chunk is whole and aligned, else word by word.
template <class Op, int VECTORS> struct by_vectors {
  typedef typename Op::T T;
  static constexpr int EACH = 16 / sizeof(T), ITEMS = VECTORS * EACH, CHUNK = 32 * ITEMS;
  typedef by_words<Op, ITEMS> words;

  __device__ static bool whole(const T *p, size_t first, size_t n) {
    return first + CHUNK <= n && size_t(p + first) % 16 == 0;
  }

  __device__ static void load(T (&x)[ITEMS], const T *in, size_t first, size_t n, T *slot) {
    if (!whole(in, first, n)) return words::load(x, in, first, n, slot);
    const uint4 *from = reinterpret_cast<const uint4 *>(in + first);
    uint4 *s = reinterpret_cast<uint4 *>(slot), v[VECTORS];
#pragma unroll
    for (int k = 0; k < VECTORS; k++) v[k] = from[k * 32 + lane_id()]; // all on their way before the first is used
#pragma unroll
    for (int k = 0; k < VECTORS; k++) s[k * 32 + lane_id()] = v[k];
    __syncwarp();
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
      const uint4 mine = s[lane_id() * VECTORS + k];
      memcpy(&x[k * EACH], &mine, 16);
    }
  }

  __device__ static void store(T *out, const T (&x)[ITEMS], size_t first, size_t n, T *slot) {
    if (!whole(out, first, n)) return words::store(out, x, first, n, slot);
    uint4 *to = reinterpret_cast<uint4 *>(out + first), *s = reinterpret_cast<uint4 *>(slot);
    __syncwarp();
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
      uint4 mine;
      memcpy(&mine, &x[k * EACH], 16);
      s[lane_id() * VECTORS + k] = mine;
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < VECTORS; k++) to[k * 32 + lane_id()] = s[k * 32 + lane_id()];
    __syncwarp();
  }
};

// ---- A thread's own elements ------------------------------------------------------------------------------

template <class Op, int ITEMS> __device__ typename Op::T thread_total(const typename Op::T (&x)[ITEMS]) {
  typename Op::T sum = x[0];
#pragma unroll
  for (int k = 1; k < ITEMS; k++) sum = Op::apply(sum, x[k]);
  return sum;
}

// Turns x into its prefixes, from what comes before x[0].
template <class Op, int ITEMS>
__device__ void thread_scan(typename Op::T (&x)[ITEMS], typename Op::T before, sl_kind kind) {
#pragma unroll
  for (int k = 0; k < ITEMS; k++) {
    const typename Op::T next = Op::apply(before, x[k]);
    x[k] = kind == SL_INCLUSIVE ? next : before;
    before = next;
  }
}

// ---- Totals of the threads of a block: two ways to get what comes before each. Collective for the block ---

// The tree of labs 03 and 04 with one total a thread. s: THREADS elements. Barriers: 2*log2(THREADS) + 1.
template <class Op> struct by_tree {
  typedef typename Op::T T;
  static constexpr int SHARED = THREADS;

  __device__ static T before(T mine, T *s) {
    const int t = threadIdx.x;
    s[t] = mine;
    int reach = 1;
    for (; reach < THREADS; reach *= 2) { // up: s[right] becomes the total of 2 * reach threads
      const int right = (t + 1) * 2 * reach - 1;
      __syncthreads();
      if (right < THREADS) s[right] = Op::apply(s[right - reach], s[right]);
    }
    if (t == 0) s[THREADS - 1] = Op::identity();
    while (reach > 1) { // down: the left half gets what is before the pair, the right half that and the left one's total
      reach /= 2;
      const int right = (t + 1) * 2 * reach - 1;
      __syncthreads();
      if (right >= THREADS) continue;
      const T left = s[right - reach], outside = s[right];
      s[right - reach] = outside;
      s[right] = Op::apply(outside, left);
    }
    __syncthreads();
    return s[t];
  }
};

// An element from another lane: `move` moves one of its words.
template <class T, class Move> __device__ T each_word(T x, Move move) {
  unsigned word[sizeof(T) / 4];
  memcpy(word, &x, sizeof x);
#pragma unroll
  for (unsigned &w : word) w = move(w);
  memcpy(&x, word, sizeof x);
  return x;
}

// That of the lane `distance` below; lanes below `distance` get their own back.
template <class T> __device__ T lane_below(T x, int distance) {
  return each_word(x, [=](unsigned w) { return __shfl_up_sync(0xffffffff, w, distance); });
}

template <class T> __device__ T of_lane(T x, int lane) {
  return each_word(x, [=](unsigned w) { return __shfl_sync(0xffffffff, w, lane); });
}

// Inclusive scan of one element a lane: Hillis-Steele, five steps, no memory and no barrier. Collective for a
// warp.
template <class Op> __device__ typename Op::T warp_scan(typename Op::T x) {
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const typename Op::T below = lane_below(x, distance);
    if (lane_id() >= distance) x = Op::apply(below, x);
  }
  return x;
}

// What is before this lane, from an inclusive scan.
template <class Op> __device__ typename Op::T lane_before(typename Op::T inclusive) {
  const typename Op::T below = lane_below(inclusive, 1);
  return lane_id() == 0 ? Op::identity() : below;
}

// Every warp scans its lanes' totals, then, all at once, the warps' totals. s: WARPS elements. Barriers: 1.
template <class Op> struct by_shuffles {
  typedef typename Op::T T;
  static constexpr int SHARED = WARPS;

  __device__ static T before(T mine, T *s) {
    const T lanes = warp_scan<Op>(mine);
    if (lane_id() == 31) s[warp_id()] = lanes;
    __syncthreads();
    const T warps = lane_before<Op>(warp_scan<Op>(lane_id() < WARPS ? s[lane_id()] : Op::identity()));
    return Op::apply(of_lane(warps, warp_id()), lane_before<Op>(lanes));
  }
};

} // namespace lab05
#endif
