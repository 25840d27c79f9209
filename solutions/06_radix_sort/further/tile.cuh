// What all scans here share: operators, the shape of a tile, where the tiles lie, and how a warp moves its
// chunk of a tile between global memory, shared memory and registers.
//
// An Op has: type, identity() and combine(left, right), associative; it need not be commutative.
// Interface: op_add, op_compose; scan_shape, scan_layout_of, at_edge; load_*, store_*, read_items,
// write_items, lane_prefix, scan_items.
#ifndef FURTHER_TILE_CUH
#define FURTHER_TILE_CUH

#include "lookback.cuh"

// ---- Operators --------------------------------------------------------------------------------------------

template <class T> struct op_add {
  typedef T type;
  __host__ __device__ static T identity() { return T(0); }
  __host__ __device__ static T combine(T a, T b) { return a + b; }
};

// x -> a*x + b modulo 2^32. combine(f, g) is "first f, then g": not commutative.
struct affine {
  uint32_t a, b;
};

struct op_compose {
  typedef affine type;
  __host__ __device__ static affine identity() { return affine{1, 0}; }
  __host__ __device__ static affine combine(affine f, affine g) { return affine{g.a * f.a, g.a * f.b + g.b}; }
};

// ---- Shape of a tile --------------------------------------------------------------------------------------

// A tile has WARPS chunks, one for each warp that computes; a lane has VECTORS * 16 consecutive bytes of its
// warp's chunk. VECTORS is odd: then the 16-byte accesses of eight neighbouring lanes fall into all 32 banks,
// without a conflict.
template <class T_, int WARPS_, int VECTORS_> struct scan_shape {
  typedef T_ T;
  static constexpr int WARPS = WARPS_, VECTORS = VECTORS_;
  static constexpr int PER_VECTOR = 16 / sizeof(T);
  static constexpr int ITEMS = VECTORS * PER_VECTOR; // elements a lane
  static constexpr int CHUNK = 32 * ITEMS;           // elements a warp
  static constexpr int TILE = WARPS * CHUNK;
  static constexpr int PIPELINE_THREADS = (2 * WARPS + 2) * 32;
  static constexpr int SLOT_BYTES =
      CHUNK * int(sizeof(T)) + 16; // a chunk that need not start at a multiple of 16
  static constexpr int STAGE_BYTES = WARPS * SLOT_BYTES;
};

// Where the tiles lie. Tile 0 starts at element -head, so that every tile of the OUTPUT starts at a multiple
// of 16 bytes; the input of a tile starts `shift` elements after one.
struct scan_layout {
  int64_t n;
  uint32_t tiles;
  int head, shift;
};

template <class S> scan_layout scan_layout_of(const typename S::T *in, const typename S::T *out, size_t n) {
  scan_layout l;
  l.n = int64_t(n);
  l.head = int(uintptr_t(out) % 16 / sizeof(typename S::T));
  l.shift = int((uintptr_t(in) - l.head * sizeof(typename S::T)) % 16 / sizeof(typename S::T));
  l.tiles = uint32_t((n + l.head + S::TILE - 1) / S::TILE);
  return l;
}

// Must this tile be loaded and stored element by element?
template <class S> __device__ inline bool at_edge(const scan_layout &l, int64_t tile) {
  const int64_t first = tile * S::TILE - l.head, margin = l.shift ? S::PER_VECTOR : 0;
  return first - margin < 0 || first + S::TILE + margin > l.n;
}

// The part of a chunk that exists, loaded and stored element by element: the tiles at both ends. Collective
// for a warp.
template <class Op, class S>
__device__ inline void load_edge(typename S::T *slot, const typename S::T *in, int64_t first, int64_t n) {
#pragma unroll
  for (int k = 0; k < S::ITEMS; k++) {
    const int j = k * 32 + threadIdx.x % 32;
    slot[j] = first + j >= 0 && first + j < n ? in[first + j] : Op::identity();
  }
  __syncwarp();
}

template <class S>
__device__ inline void store_edge(typename S::T *out, const typename S::T *slot, int64_t first, int64_t n) {
  __syncwarp();
#pragma unroll
  for (int k = 0; k < S::ITEMS; k++) {
    const int j = k * 32 + threadIdx.x % 32;
    if (first + j >= 0 && first + j < n) out[first + j] = slot[j];
  }
  __syncwarp();
}

// A whole chunk, 16 bytes a lane at a time: input and output at multiples of 16 bytes. Collective for a warp.
template <class S> __device__ inline void load_whole(typename S::T *slot, const typename S::T *in) {
  uint4 v[S::VECTORS];
#pragma unroll
  for (int i = 0; i < S::VECTORS; i++) v[i] = reinterpret_cast<const uint4 *>(in)[i * 32 + threadIdx.x % 32];
#pragma unroll
  for (int i = 0; i < S::VECTORS; i++) reinterpret_cast<uint4 *>(slot)[i * 32 + threadIdx.x % 32] = v[i];
  __syncwarp();
}

template <class S> __device__ inline void store_whole(typename S::T *out, const typename S::T *slot) {
  __syncwarp();
#pragma unroll
  for (int i = 0; i < S::VECTORS; i++)
    reinterpret_cast<uint4 *>(out)[i * 32 + threadIdx.x % 32] = reinterpret_cast<const uint4 *>(slot)[i * 32 + threadIdx.x % 32];
}

// A lane's elements between its registers and its warp's slot.
template <class S> __device__ inline void read_items(typename S::T *item, const typename S::T *slot) {
  uint4 v[S::VECTORS];
#pragma unroll
  for (int i = 0; i < S::VECTORS; i++) {
    v[i] = reinterpret_cast<const uint4 *>(slot)[(threadIdx.x % 32) * S::VECTORS + i];
  }
  memcpy(item, v, sizeof v);
}

template <class S> __device__ inline void write_items(typename S::T *slot, const typename S::T *item) {
  uint4 v[S::VECTORS];
  memcpy(v, item, sizeof v);
#pragma unroll
  for (int i = 0; i < S::VECTORS; i++) {
    reinterpret_cast<uint4 *>(slot)[(threadIdx.x % 32) * S::VECTORS + i] = v[i];
  }
}

// Sum of the items; *inclusive: prefix of it over the warp. Returns what lies before this lane's items in its
// chunk.
template <class Op, class S>
__device__ inline typename S::T lane_prefix(const typename S::T *item, typename S::T *inclusive) {
  typename S::T sum = item[0];
#pragma unroll
  for (int i = 1; i < S::ITEMS; i++) sum = Op::combine(sum, item[i]);
  *inclusive = warp_inclusive<Op>(sum);
  const typename S::T before = shuffle_up(*inclusive, 1);
  return threadIdx.x % 32 == 0 ? Op::identity() : before;
}

// Items become their exclusive prefixes.
template <class Op, class S> __device__ inline void scan_items(typename S::T *item, typename S::T before) {
#pragma unroll
  for (int i = 0; i < S::ITEMS; i++) {
    const typename S::T next = Op::combine(before, item[i]);
    item[i] = before;
    before = next;
  }
}

#endif
