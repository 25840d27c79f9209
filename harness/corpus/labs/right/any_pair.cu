// Lab 05: scan of any size with any operator.
//
// THREADS x ITEMS elements make a tile. SCHEME_RECURSE: scan tiles, scan totals, add. SCHEME_REDUCE: totals,
// scan totals, scan tiles. SCHEME_LOOKBACK: one launch, tiles look back over the tiles before them.
// SCHEME_GRID: one cooperative launch that waits for the whole grid. MEMORY_.. and HOST_.. say where
// temporaries lie and where launches go.
//
// right 05 recursion_of_2048: SCHEME_RECURSE THREADS=512 ITEMS=4
// right 05 recursion_of_4096_vectors: SCHEME_RECURSE THREADS=512 ITEMS=8 LOAD_VECTOR
// right 05 recursion_full_blocks: SCHEME_RECURSE THREADS=1024 ITEMS=2 COMBINE_TILES
// right 05 recursion_managed: SCHEME_RECURSE THREADS=256 ITEMS=8 MEMORY_MANAGED
// right 05 recursion_pooled: SCHEME_RECURSE THREADS=256 ITEMS=8 MEMORY_POOL
// right 05 recursion_own_stream: SCHEME_RECURSE THREADS=256 ITEMS=8 HOST_STREAM
// right 05 recursion_small_tiles: SCHEME_RECURSE THREADS=128 ITEMS=4 | loses 05.work.launches_n2048: 3 launches where one tile of 2048 needs 1
// right 05 reduce_then_scan: SCHEME_REDUCE THREADS=256 ITEMS=8
// right 05 reduce_vectors: SCHEME_REDUCE THREADS=256 ITEMS=8 LOAD_VECTOR
// right 05 reduce_cooperative_tiles: SCHEME_REDUCE THREADS=512 ITEMS=4 COMBINE_TILES MEMORY_POOL
// right 05 look_back_fences: SCHEME_LOOKBACK THREADS=256 ITEMS=8
// right 05 look_back_atomic_ref: SCHEME_LOOKBACK THREADS=256 ITEMS=8 ATOMIC_REF
// right 05 look_back_vectors: SCHEME_LOOKBACK THREADS=256 ITEMS=16 LOAD_VECTOR
// right 05 look_back_small_tiles: SCHEME_LOOKBACK THREADS=128 ITEMS=4 MEMORY_MANAGED
// right 05 look_back_own_stream: SCHEME_LOOKBACK THREADS=256 ITEMS=8 HOST_STREAM ATOMIC_REF
// right 05 grid_wide_barrier: SCHEME_GRID THREADS=256 ITEMS=8
#include "scanlab/lab.h"

#include <cooperative_groups.h>
#include <cuda/atomic>
#include <string.h>
namespace cg = cooperative_groups;

enum { WARP = 32, WARPS = THREADS / WARP, TILE = THREADS * ITEMS };

// Operators -------------------------------------------------------------------------------------------------

template <class Type> struct Add {
  typedef Type T;
  __device__ static T identity() { return 0; }
  __device__ static T apply(T left, T right) { return left + right; }
};
template <class Type> struct Max {
  typedef Type T;
  __device__ static T identity();
  __device__ static T apply(T left, T right) { return left < right ? right : left; }
};
template <> __device__ inline float Max<float>::identity() { return __int_as_float(0xff800000); }
template <> __device__ inline int32_t Max<int32_t>::identity() { return INT32_MIN; }
template <> __device__ inline uint32_t Max<uint32_t>::identity() { return 0; }
struct Compose {
  typedef sl_affine T;
  __device__ static T identity() { return sl_affine{1, 0}; }
  __device__ static T apply(T l, T r) { return sl_affine{l.a * r.a, r.a * l.b + r.b}; }
};

// Blocks ----------------------------------------------------------------------------------------------------

template <class T> __device__ inline T shuffle_up(T x, int offset) {
  uint32_t word[sizeof(T) / 4];
  memcpy(word, &x, sizeof x);
#ifdef COMBINE_TILES
  auto warp = cg::tiled_partition<WARP>(cg::this_thread_block());
  for (unsigned k = 0; k < sizeof(T) / 4; k++) word[k] = warp.shfl_up(word[k], offset);
#else
  for (unsigned k = 0; k < sizeof(T) / 4; k++) word[k] = __shfl_up_sync(~0u, word[k], offset);
#endif
  memcpy(&x, word, sizeof x);
  return x;
}

// The exclusive prefix over the threads of the block; *total: of all. All call it.
template <class Op> __device__ inline typename Op::T over_threads(typename Op::T x, typename Op::T *total) {
  typedef typename Op::T T;
  __shared__ T s_warp[WARPS];
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  for (int offset = 1; offset < WARP; offset *= 2) {
    const T left = shuffle_up(x, offset);
    if (lane >= offset) x = Op::apply(left, x);
  }
  __syncthreads(); // the last use of s_warp
  if (lane == WARP - 1) s_warp[warp] = x;
  __syncthreads();
  T before = Op::identity(), all = Op::identity();
  if (WARPS <= 8) { // every thread adds up the few sums by itself
    for (int w = 0; w < WARPS; w++) {
      if (w == warp) before = all;
      all = Op::apply(all, s_warp[w]);
    }
  } else { // the first warp scans them
    if (warp == 0) {
      T sum = lane < WARPS ? s_warp[lane] : Op::identity();
      for (int offset = 1; offset < WARPS; offset *= 2) {
        const T left = shuffle_up(sum, offset);
        if (lane >= offset) sum = Op::apply(left, sum);
      }
      __syncwarp();
      if (lane < WARPS) s_warp[lane] = sum;
    }
    __syncthreads();
    if (warp > 0) before = s_warp[warp - 1];
    all = s_warp[WARPS - 1];
  }
  const T left = shuffle_up(x, 1);
  *total = all;
  return lane ? Op::apply(before, left) : before;
}

__device__ constexpr int padded(int i) { return i + i / 32; }

template <class Op>
__device__ inline void load_tile(const typename Op::T *in, size_t base, size_t n, typename Op::T *s) {
  typedef typename Op::T T;
  const int t = threadIdx.x;
#ifdef LOAD_VECTOR
  if (sizeof(T) == 4 && base + TILE <= n && reinterpret_cast<uintptr_t>(in + base) % 16 == 0) {
    const uint4 *from = reinterpret_cast<const uint4 *>(in + base);
    uint32_t *to = reinterpret_cast<uint32_t *>(s);
    for (int k = t; k < TILE / 4; k += THREADS) {
      const uint4 v = from[k];
      to[padded(4 * k)] = v.x, to[padded(4 * k + 1)] = v.y, to[padded(4 * k + 2)] = v.z, to[padded(4 * k + 3)] = v.w;
    }
    return;
  }
#endif
  for (int j = t; j < TILE; j += THREADS) s[padded(j)] = base + j < n ? in[base + j] : Op::identity();
}

// s[padded(j)], the elements of a tile, become their exclusive prefixes in the tile. Returns the total.
template <class Op> __device__ inline typename Op::T scan_tile(typename Op::T *s, bool naive) {
  typedef typename Op::T T;
  const int t = threadIdx.x;
  T x[ITEMS], total;
  __syncthreads();
  if (!naive) {
    T sum = Op::identity();
    for (int k = 0; k < ITEMS; k++) x[k] = s[padded(t * ITEMS + k)], sum = k ? Op::apply(sum, x[k]) : x[k];
    T running = over_threads<Op>(sum, &total);
    for (int k = 0; k < ITEMS; k++) {
      s[padded(t * ITEMS + k)] = running;
      if (k + 1 < ITEMS) running = Op::apply(running, x[k]);
    }
    __syncthreads();
    return total;
  }
  for (int offset = 1; offset < TILE; offset *= 2) { // Hillis and Steele, every thread ITEMS elements
    for (int k = 0; k < ITEMS; k++) {
      const int j = t + k * THREADS;
      x[k] = s[padded(j)];
      if (j >= offset) x[k] = Op::apply(s[padded(j - offset)], x[k]);
    }
    __syncthreads();
    for (int k = 0; k < ITEMS; k++) s[padded(t + k * THREADS)] = x[k];
    __syncthreads();
  }
  total = s[padded(TILE - 1)];
  for (int k = 0; k < ITEMS; k++) x[k] = t + k * THREADS ? s[padded(t + k * THREADS - 1)] : Op::identity();
  __syncthreads();
  for (int k = 0; k < ITEMS; k++) s[padded(t + k * THREADS)] = x[k];
  __syncthreads();
  return total;
}

template <class Op>
__device__ inline void store_tile(const typename Op::T *in, typename Op::T *out, size_t base, size_t n,
                                  const typename Op::T *s, typename Op::T before, bool inclusive) {
  for (int j = threadIdx.x; j < TILE && base + j < n; j += THREADS) {
    typename Op::T x = Op::apply(before, s[padded(j)]);
    out[base + j] = inclusive ? Op::apply(x, in[base + j]) : x;
  }
}

#define SHARED_TILE(Op) __shared__ typename Op::T s[TILE + TILE / 32]

// Kernels ---------------------------------------------------------------------------------------------------

template <class Op>
__global__ void tiles_kernel(const typename Op::T *in, typename Op::T *out, size_t n, typename Op::T *totals,
                             const typename Op::T *before, bool inclusive, bool naive) {
  SHARED_TILE(Op);
  const size_t base = size_t(blockIdx.x) * TILE;
  load_tile<Op>(in, base, n, s);
  const typename Op::T total = scan_tile<Op>(s, naive);
  store_tile<Op>(in, out, base, n, s, before ? before[blockIdx.x] : Op::identity(), inclusive);
  if (totals && threadIdx.x == 0) totals[blockIdx.x] = total;
}

template <class Op> __global__ void add_kernel(typename Op::T *out, size_t n, const typename Op::T *before) {
  const size_t base = size_t(blockIdx.x) * TILE;
  const typename Op::T left = before[blockIdx.x];
  if (blockIdx.x == 0) return;
  for (int j = threadIdx.x; j < TILE && base + j < n; j += THREADS) out[base + j] = Op::apply(left, out[base + j]);
}

template <class Op> __global__ void totals_kernel(const typename Op::T *in, size_t n, typename Op::T *totals) {
  SHARED_TILE(Op);
  typename Op::T sum = Op::identity(), total;
  load_tile<Op>(in, size_t(blockIdx.x) * TILE, n, s);
  __syncthreads();
  for (int k = 0; k < ITEMS; k++) sum = Op::apply(sum, s[padded(threadIdx.x * ITEMS + k)]);
  over_threads<Op>(sum, &total);
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

// What tiles tell each other: 0 nothing, 1 the total, 2 the sum of everything up to the tile's end.
template <class T> struct tile_state {
  uint32_t flag;
  T total, prefix;
};

#ifdef ATOMIC_REF
__device__ inline void raise(uint32_t *flag, uint32_t to) {
  cuda::atomic_ref<uint32_t, cuda::thread_scope_device>(*flag).store(to, cuda::memory_order_release);
}
__device__ inline uint32_t look(uint32_t *flag) {
  return cuda::atomic_ref<uint32_t, cuda::thread_scope_device>(*flag).load(cuda::memory_order_acquire);
}
#else
__device__ inline void raise(uint32_t *flag, uint32_t to) {
  __threadfence();
  *(volatile uint32_t *)flag = to;
}
__device__ inline uint32_t look(uint32_t *flag) {
  const uint32_t now = *(volatile uint32_t *)flag;
  __threadfence();
  return now;
}
#endif

template <class T> __device__ inline T read(const T *p) { // a word at a time, as no cache keeps it
  T x;
  for (unsigned k = 0; k < sizeof(T) / 4; k++) reinterpret_cast<uint32_t *>(&x)[k] = __ldcg((const unsigned *)p + k);
  return x;
}

template <class Op>
__global__ void look_back_kernel(const typename Op::T *in, typename Op::T *out, size_t n, uint32_t *ticket,
                                 tile_state<typename Op::T> *state, bool inclusive, bool naive) {
  typedef typename Op::T T;
  SHARED_TILE(Op);
  __shared__ uint32_t s_tile;
  __shared__ T s_before;
  if (threadIdx.x == 0) s_tile = atomicAdd(ticket, 1u);
  __syncthreads();
  const uint32_t tile = s_tile;
  const size_t base = size_t(tile) * TILE;
  load_tile<Op>(in, base, n, s);
  const T total = scan_tile<Op>(s, naive);
  if (threadIdx.x == 0) {
    T before = Op::identity();
    tile_state<T> *mine = state + tile;
    mine->total = total;
    if (tile) raise(&mine->flag, 1);
    for (uint32_t from = tile; from-- > 0;) {
      uint32_t flag;
      while ((flag = look(&state[from].flag)) == 0) {}
      before = Op::apply(read(flag == 2 ? &state[from].prefix : &state[from].total), before);
      if (flag == 2) break;
    }
    mine->prefix = Op::apply(before, total);
    raise(&mine->flag, 2);
    s_before = before;
  }
  __syncthreads();
  store_tile<Op>(in, out, base, n, s, s_before, inclusive);
}

template <class Op>
__global__ void grid_kernel(const typename Op::T *in, typename Op::T *out, size_t n, typename Op::T *totals,
                            bool inclusive, bool naive) {
  typedef typename Op::T T;
  SHARED_TILE(Op);
  cg::grid_group grid = cg::this_grid();
  const size_t tiles = (n + TILE - 1) / TILE;
  T total;
  for (size_t b = blockIdx.x; b < tiles; b += gridDim.x) {
    T sum = Op::identity();
    __syncthreads();
    load_tile<Op>(in, b * TILE, n, s);
    __syncthreads();
    for (int k = 0; k < ITEMS; k++) sum = Op::apply(sum, s[padded(threadIdx.x * ITEMS + k)]);
    over_threads<Op>(sum, &total);
    if (threadIdx.x == 0) totals[b] = total;
  }
  grid.sync();
  if (blockIdx.x == 0) { // a run of totals each thread
    const size_t each = (tiles + THREADS - 1) / THREADS, first = threadIdx.x * each;
    T sum = Op::identity();
    for (size_t b = first; b < first + each && b < tiles; b++) sum = Op::apply(sum, totals[b]);
    T running = over_threads<Op>(sum, &total);
    for (size_t b = first; b < first + each && b < tiles; b++) {
      const T x = totals[b];
      totals[b] = running;
      running = Op::apply(running, x);
    }
  }
  grid.sync();
  for (size_t b = blockIdx.x; b < tiles; b += gridDim.x) {
    __syncthreads();
    load_tile<Op>(in, b * TILE, n, s);
    scan_tile<Op>(s, naive);
    store_tile<Op>(in, out, b * TILE, n, s, totals[b], inclusive);
  }
}

// The host --------------------------------------------------------------------------------------------------

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

template <class Op>
static cudaError_t scan(const typename Op::T *in, typename Op::T *out, size_t n, bool inclusive, bool naive,
                        cudaStream_t stream) {
  typedef typename Op::T T;
  const size_t tiles = (n + TILE - 1) / TILE;
  T *totals = nullptr;
#if defined SCHEME_LOOKBACK
  uint32_t *ticket;
  const size_t bytes = 16 + tiles * sizeof(tile_state<T>);
  SL_CUDA(take((void **)&ticket, bytes, stream));
  SL_CUDA(cudaMemsetAsync(ticket, 0, bytes, stream));
  look_back_kernel<Op><<<unsigned(tiles), THREADS, 0, stream>>>(in, out, n, ticket, (tile_state<T> *)(ticket + 4),
                                                                inclusive, naive);
  totals = (T *)ticket;
#elif defined SCHEME_GRID
  int blocks, sms;
  SL_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, grid_kernel<Op>, THREADS, 0));
  SL_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  if (size_t(blocks) * sms > tiles) blocks = int(tiles);
  else blocks *= sms;
  SL_CUDA(take((void **)&totals, tiles * sizeof(T), stream));
  void *args[] = {&in, &out, &n, &totals, &inclusive, &naive};
  SL_CUDA(cudaLaunchCooperativeKernel((void *)grid_kernel<Op>, dim3(blocks), dim3(THREADS), args, 0, stream));
#else
  if (tiles == 1) {
    tiles_kernel<Op><<<1, THREADS, 0, stream>>>(in, out, n, nullptr, nullptr, inclusive, naive);
    return cudaGetLastError();
  }
  SL_CUDA(take((void **)&totals, tiles * sizeof(T), stream));
#ifdef SCHEME_REDUCE
  totals_kernel<Op><<<unsigned(tiles), THREADS, 0, stream>>>(in, n, totals);
  SL_CUDA(scan<Op>(totals, totals, tiles, false, naive, stream));
  tiles_kernel<Op><<<unsigned(tiles), THREADS, 0, stream>>>(in, out, n, nullptr, totals, inclusive, naive);
#else
  tiles_kernel<Op><<<unsigned(tiles), THREADS, 0, stream>>>(in, out, n, totals, nullptr, inclusive, naive);
  SL_CUDA(scan<Op>(totals, totals, tiles, false, naive, stream));
  add_kernel<Op><<<unsigned(tiles), THREADS, 0, stream>>>(out, n, totals);
#endif
#endif
  SL_CUDA(cudaGetLastError());
  return give(totals, stream);
}

template <class Op> static cudaError_t scan_with(const lab05_args *a) {
  typedef typename Op::T T;
  cudaStream_t stream = 0;
#ifdef HOST_STREAM
  SL_CUDA(cudaStreamCreate(&stream));
#endif
  SL_CUDA(scan<Op>((const T *)a->in, (T *)a->out, a->n, a->kind == SL_INCLUSIVE, a->tile == SL_TILE_NAIVE, stream));
#ifdef HOST_STREAM
  SL_CUDA(cudaStreamSynchronize(stream));
  SL_CUDA(cudaStreamDestroy(stream));
#endif
  return cudaSuccess;
}

extern "C" cudaError_t lab05_scan(const lab05_args *a) {
  if (a->n == 0) return cudaSuccess;
  if (a->op == SL_COMPOSE) return scan_with<Compose>(a);
  if (a->op == SL_ADD) {
    if (a->type == SL_F32) return scan_with<Add<float>>(a);
    return a->type == SL_I32 ? scan_with<Add<int32_t>>(a) : scan_with<Add<uint32_t>>(a);
  }
  if (a->type == SL_F32) return scan_with<Max<float>>(a);
  return a->type == SL_I32 ? scan_with<Max<int32_t>>(a) : scan_with<Max<uint32_t>>(a);
}
