// expect: 05.operators.max_f32_inclusive, 05.operators.max_f32_exclusive, 05.operators.max_i32_exclusive, 05.naive.max_i32_n5001, 05.speed.* fail  -- takes 0 for the identity of the maximum
#include "scanlab/lab.h"

enum {
  BLOCK = 1024,    // threads of a block
  TILE = 2 * BLOCK // elements of a tile, two a thread: t and t + BLOCK. Three levels from 2^22 + 1 elements on
};

// ---- Operators: the element type T, the identity, and apply(left, right) with the lower index on the left -

template <class Type> struct Add {
  typedef Type T;
  __host__ __device__ static T identity() { return T(0); }
  __host__ __device__ static T apply(T left, T right) { return left + right; }
};

template <class Type> struct Max {
  typedef Type T;
  __device__ static T identity();
  __device__ static T apply(T left, T right) { return left < right ? right : left; }
};
template <> __device__ inline float Max<float>::identity() { return 0.0f; }
template <> __device__ inline int32_t Max<int32_t>::identity() { return 0; }
template <> __device__ inline uint32_t Max<uint32_t>::identity() { return 0; }

// Composition of the maps x -> a*x + b modulo 2^32, the left one applied first. Associative, not commutative.
struct Compose {
  typedef sl_affine T;
  __host__ __device__ static T identity() { return sl_affine{1, 0}; }
  __host__ __device__ static T apply(T left, T right) {
    T both = identity();
    both.a = left.a * right.a;
    both.b = right.a * left.b + right.b;
    return both;
  }
};

// ---- Tile scans: thread t hands in elements t and t + BLOCK of a tile and gets their EXCLUSIVE prefixes back 

// Place of element i in shared memory without bank conflicts for 4-byte elements (lab 04).
__host__ __device__ inline int padded(int i) { return i + (i >> 5) + (i >> 10); }

// Bytes of shared memory that either tile scan needs for elements of `size` bytes.
inline size_t tile_bytes(sl_tile tile, size_t size) {
  return size * (tile == SL_TILE_EFFICIENT ? padded(TILE - 1) + 1 : 2 * TILE);
}

// Work-efficient tile scan (lab 04). Collective over the block. s: padded(TILE-1) + 1 elements of shared memory.
// Work: 2*(TILE-1) operations   Steps: 2*log2(TILE)   Barriers: 2*log2(TILE) + 1
template <class Op> __device__ void block_scan_efficient(typename Op::T *s, typename Op::T &lo, typename Op::T &hi) {
  typedef typename Op::T T;
  const int t = threadIdx.x;
  s[padded(t)] = lo;
  s[padded(t + BLOCK)] = hi;
  int offset = 1;
  for (int pairs = BLOCK; pairs > 0; pairs /= 2, offset *= 2) {
    __syncthreads();
    if (t < pairs) {
      const int left = offset * (2 * t + 1) - 1;
      const int a = padded(left), b = padded(left + offset);
      s[b] = Op::apply(s[a], s[b]);
    }
  }
  if (t == 0) s[padded(TILE - 1)] = Op::identity();
  for (int pairs = 1; pairs < TILE; pairs *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < pairs) {
      const int left = offset * (2 * t + 1) - 1;
      const int a = padded(left), b = padded(left + offset);
      const T sum = s[a];
      s[a] = s[b];
      s[b] = Op::apply(s[b], sum); // what is before the pair comes first, then the pair's left half
    }
  }
  __syncthreads();
  lo = s[padded(t)];
  hi = s[padded(t + BLOCK)];
}

// Naive tile scan with two buffers (lab 02). Collective over the block. s: 2 * TILE elements of shared memory.
// Work: TILE*L - (TILE-1) operations, L = log2(TILE)   Steps: L   Barriers: L + 1
template <class Op> __device__ void block_scan_naive(typename Op::T *s, typename Op::T &lo, typename Op::T &hi) {
  typedef typename Op::T T;
  const int t = threadIdx.x;
  T *from = s, *to = s + TILE;
  if (t == 0) from[0] = Op::identity();
  from[t + 1] = lo;
  if (t + BLOCK + 1 < TILE) from[t + BLOCK + 1] = hi;
  __syncthreads();
  for (int offset = 1; offset < TILE; offset *= 2) {
    for (int i = t; i < TILE; i += BLOCK) {
      const T x = from[i];
      to[i] = i >= offset ? Op::apply(from[i - offset], x) : x;
    }
    T *const swap = from;
    from = to;
    to = swap;
    __syncthreads();
  }
  lo = from[t];
  hi = from[t + BLOCK];
}

// ---- Kernels ----------------------------------------------------------------------------------------------

/* Kernel:   tile_scan_kernel — scans every tile of TILE elements on its own; the total of tile b goes to sums[b]
 * Launch:   grid = ceil(n/TILE), block = BLOCK
 * Shared:   dynamic, tile_bytes(): efficient 2112, naive 4096 elements (f32: 8448 and 16384 bytes)
 * Work:     per tile, efficient: 2*(TILE-1) = 4094, naive: TILE*11 - (TILE-1) = 20481 operations, + TILE
 *           for the inclusive prefixes   Steps: 22 or 11   Barriers: 23 or 12
 * Valid in: out[0..n) two elements a thread; sums[blockIdx.x] by the last thread   In-place: yes (out may be in)
 * Source:   Blelloch 1990; Harris 2007, section "Arrays of Arbitrary Size" */
template <class Op, sl_tile TILE_KIND>
__global__ void tile_scan_kernel(const typename Op::T *in, typename Op::T *out, typename Op::T *sums, size_t n,
                                 sl_kind kind) {
  extern __shared__ unsigned char shared_bytes[];
  typedef typename Op::T T;
  T *s = reinterpret_cast<T *>(shared_bytes);
  T lo = Op::identity(), hi = Op::identity(); // elements threadIdx.x and threadIdx.x + BLOCK of the tile

  const size_t i = size_t(blockIdx.x) * TILE + threadIdx.x, j = i + BLOCK;
  if (i < n) lo = in[i];
  if (j < n) hi = in[j];
  const T x = lo, y = hi;

  if (TILE_KIND == SL_TILE_EFFICIENT) block_scan_efficient<Op>(s, lo, hi);
  else block_scan_naive<Op>(s, lo, hi);

  if (sums != nullptr && threadIdx.x == BLOCK - 1) sums[blockIdx.x] = Op::apply(hi, y);
  if (kind == SL_INCLUSIVE) {
    lo = Op::apply(lo, x);
    hi = Op::apply(hi, y);
  }
  if (i < n) out[i] = lo;
  if (j < n) out[j] = hi;
}

/* Kernel:   add_offsets_kernel — puts everything before a tile in front of each of its elements; tile 0 has nothing
 * Launch:   grid = ceil(n/TILE) - 1, block = BLOCK; block b works on tile b + 1
 * Shared:   none
 * Work:     one operation an element of tiles 1..   Steps: 1   Barriers: 0
 * Valid in: data[TILE..n) two elements a thread   In-place: yes
 * Source:   Hwu, lecture 4.7 (with an inclusive scan of the sums, tile b needs element b - 1: see README.md) */
template <class Op>
__global__ void add_offsets_kernel(typename Op::T *data, const typename Op::T *offsets, size_t n) {
  const size_t tile = size_t(blockIdx.x) + 1;
  const size_t i = tile * TILE + threadIdx.x, j = i + BLOCK;
  const typename Op::T before = offsets[tile];
  if (i < n) data[i] = Op::apply(before, data[i]);
  if (j < n) data[j] = Op::apply(before, data[j]);
}

// ---- Recursion --------------------------------------------------------------------------------------------

template <class Op>
static cudaError_t launch_tiles(const typename Op::T *in, typename Op::T *out, typename Op::T *sums, size_t n,
                                sl_kind kind, sl_tile tile) {
  const unsigned tiles = unsigned((n + TILE - 1) / TILE);
  const size_t bytes = tile_bytes(tile, sizeof(typename Op::T));
  if (tile == SL_TILE_EFFICIENT) {
    tile_scan_kernel<Op, SL_TILE_EFFICIENT><<<tiles, BLOCK, bytes>>>(in, out, sums, n, kind);
  } else {
    tile_scan_kernel<Op, SL_TILE_NAIVE><<<tiles, BLOCK, bytes>>>(in, out, sums, n, kind);
  }
  return cudaGetLastError();
}

// Scans in[0..n) into out, n > 0. out may be in. Every level scans the totals of the tiles of the level above it.
template <class Op>
static cudaError_t scan_level(const typename Op::T *in, typename Op::T *out, size_t n, sl_kind kind, sl_tile tile) {
  cudaError_t error = cudaSuccess;
  typedef typename Op::T T;
  const size_t tiles = (n + TILE - 1) / TILE;
  if (tiles == 1) return launch_tiles<Op>(in, out, (T *)nullptr, n, kind, tile);
  T *sums = nullptr;
  SL_CUDA(cudaMalloc((void **)&sums, tiles * sizeof(T)));
  error = launch_tiles<Op>(in, out, sums, n, kind, tile);
  if (error == cudaSuccess) error = scan_level<Op>(sums, sums, tiles, SL_EXCLUSIVE, tile);
  if (error == cudaSuccess) {
    add_offsets_kernel<Op><<<unsigned(tiles - 1), BLOCK>>>(out, sums, n);
    error = cudaGetLastError();
  }
  const cudaError_t freed = cudaFree(sums); // waits for the kernels
  if (error == cudaSuccess) error = freed;
  return error;
}

// ---- Entry point ------------------------------------------------------------------------------------------

template <class Op> static cudaError_t scan_with(const lab05_args *a) {
  typedef typename Op::T T;
  return scan_level<Op>(static_cast<const T *>(a->in), static_cast<T *>(a->out), a->n, a->kind, a->tile);
}

extern "C" cudaError_t lab05_scan(const lab05_args *a) {
  static const struct {
    sl_op op;
    sl_type type;
    cudaError_t (*scan)(const lab05_args *);
  } table[] = {
      {SL_ADD, SL_F32, scan_with<Add<float>>},       {SL_ADD, SL_U32, scan_with<Add<uint32_t>>},
      {SL_ADD, SL_I32, scan_with<Add<uint32_t>>}, // the same bits, and no signed overflow
      {SL_MAX, SL_F32, scan_with<Max<float>>},       {SL_MAX, SL_U32, scan_with<Max<uint32_t>>},
      {SL_MAX, SL_I32, scan_with<Max<int32_t>>},     {SL_COMPOSE, SL_AFFINE, scan_with<Compose>},
  };
  if (a->n == 0) return cudaSuccess;
  for (const auto &row : table) {
    if (row.op == a->op && row.type == a->type) return row.scan(a);
  }
  return cudaErrorInvalidValue;
}
