// Lab 05 in other ways than any_pair.cu: chunks of fixed number, two streams, built graphs, look-back by
// words of 64 bits.
//
// SCHEME_CHUNKS: BLOCKS blocks have a chunk each, of any length; each reduces its chunk, one block scans the
// sums, each scans its chunk. SCHEME_STATES: one launch; what a tile tells the others is in words of 32 bits
// of value and 32 of status, so it needs no fence. GROUP_.. says how threads put their sums together,
// GRID_2D, HOST_.. and MEMORY_.. the rest.
//
// right 05 chunks: SCHEME_CHUNKS THREADS=256 ITEMS=8 BLOCKS=64
// right 05 chunks_two_streams: SCHEME_CHUNKS THREADS=128 ITEMS=16 BLOCKS=96 HOST_TWO_STREAMS | loses 05.work.launches_n100003: two launches for each half, and one for the sums
// right 05 chunks_built_graph: SCHEME_CHUNKS THREADS=512 ITEMS=4 BLOCKS=32 HOST_BUILT
// right 05 chunks_pinned: SCHEME_CHUNKS THREADS=256 ITEMS=8 BLOCKS=80 MEMORY_PINNED GROUP_RAKING
// right 05 chunks_large_tiles: SCHEME_CHUNKS THREADS=512 ITEMS=12 BLOCKS=64 GROUP_SKLANSKY
// right 05 chunks_2d_block: SCHEME_CHUNKS THREADS=256 ITEMS=8 BLOCKS=64 SHAPE_2D GROUP_SKLANSKY MEMORY_VARIABLE
// right 05 states_atomic: SCHEME_STATES THREADS=256 ITEMS=8
// right 05 states_2d_grid: SCHEME_STATES THREADS=256 ITEMS=8 GRID_2D GROUP_RAKING
// right 05 states_persistent: SCHEME_STATES THREADS=256 ITEMS=8 PERSISTENT
// right 05 states_warp: SCHEME_STATES THREADS=512 ITEMS=8 LOOK_WARP MEMORY_POOL
// right 05 states_of_lanes: SCHEME_STATES THREADS=1024 ITEMS=2 LOOK_WARP GROUP_SKLANSKY
#include "scanlab/lab.h"

#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/std/bit>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <vector>
namespace cg = cooperative_groups;

constexpr int WARP = 32, TILE = THREADS * ITEMS;

// Operators: objects with a type, a neutral element, and ( ) ------------------------------------------------

template <class Type> struct sum {
  using T = Type;
  static __device__ T neutral() { return T{}; }
  __device__ T operator()(T left, T right) const { return left + right; }
};
template <class Type> struct maximum {
  using T = Type;
  static __device__ T neutral() {
    if constexpr (cuda::std::is_same_v<T, float>) return -__int_as_float(0x7f800000);
    else return cuda::std::numeric_limits<T>::min();
  }
  __device__ T operator()(T left, T right) const { return right > left ? right : left; }
};
struct composition {
  using T = sl_affine;
  static __device__ T neutral() { return {1, 0}; }
  __device__ T operator()(T left, T right) const { return {left.a * right.a, left.b * right.a + right.b}; }
};

template <class Work> cudaError_t with_operator(const lab05_args *a, Work work) {
  if (a->op == SL_COMPOSE) return work(composition());
  const bool add = a->op == SL_ADD;
  switch (a->type) {
  case SL_F32: return add ? work(sum<float>()) : work(maximum<float>());
  case SL_U32: return add ? work(sum<uint32_t>()) : work(maximum<uint32_t>());
  case SL_I32: return add ? work(sum<uint32_t>()) : work(maximum<int32_t>());
  default: return cudaErrorInvalidValue;
  }
}

// Groups of threads -----------------------------------------------------------------------------------------

#ifdef SHAPE_2D
static dim3 shape() { return dim3(8, THREADS / 8); }
#else
static dim3 shape() { return dim3(THREADS); }
#endif
__device__ inline int rank() { return threadIdx.y * blockDim.x + threadIdx.x; }

template <class T> __device__ inline T from_lane(T x, int lane) {
  if constexpr (sizeof(T) == 8) {
    return cuda::std::bit_cast<T>(__shfl_sync(~0u, cuda::std::bit_cast<unsigned long long>(x), lane));
  } else {
    return cuda::std::bit_cast<T>(__shfl_sync(~0u, cuda::std::bit_cast<uint32_t>(x), lane));
  }
}

// Inclusive over the warp.
template <class Op> __device__ inline typename Op::T over_lanes(typename Op::T x) {
  const int lane = rank() % WARP;
#if defined GROUP_SKLANSKY
  for (int half = 1; half < WARP; half *= 2) {
    const auto left = from_lane(x, (lane & -half) - 1 & WARP - 1);
    if (lane & half) x = Op()(left, x);
  }
#else
  for (int offset = 1; offset < WARP; offset *= 2) {
    const auto left = from_lane(x, lane - offset & WARP - 1);
    if (lane >= offset) x = Op()(left, x);
  }
#endif
  return x;
}

// Exclusive over the block; *total of all. All call it.
template <class Op> __device__ typename Op::T over_threads(typename Op::T x, typename Op::T *total) {
  using T = typename Op::T;
  const int t = rank(), lane = t % WARP;
#if defined GROUP_RAKING // the first warp adds up all threads' sums, a row of them each lane
  constexpr int ROW = THREADS / WARP;
  __shared__ T s[THREADS + WARP + 1];
  __syncthreads();
  s[t + t / ROW] = x;
  __syncthreads();
  if (t < WARP) {
    T *const row = s + lane * (ROW + 1), all = row[0];
    T sum = all;
    for (int k = 1; k < ROW; k++) sum = Op()(sum, row[k]);
    const T upto = over_lanes<Op>(sum);
    T before = from_lane(upto, lane - 1 & WARP - 1);
    if (lane == 0) before = Op::neutral();
    for (int k = 0; k < ROW; k++) {
      const T own = row[k];
      row[k] = before;
      before = Op()(before, own);
    }
    if (lane == WARP - 1) s[THREADS + WARP] = before;
  }
  __syncthreads();
  *total = s[THREADS + WARP];
  return s[t + t / ROW];
#else
  constexpr int WARPS = THREADS / WARP;
  __shared__ T s[WARPS + 1];
  const T upto = over_lanes<Op>(x);
  T left = from_lane(upto, lane - 1 & WARP - 1);
  __syncthreads();
  if (lane == WARP - 1) s[t / WARP + 1] = upto;
  if (t == 0) s[0] = Op::neutral();
  __syncthreads();
  if (t < WARP) {
    const T sums = over_lanes<Op>(lane < WARPS ? s[lane + 1] : Op::neutral());
    if (lane < WARPS) s[lane + 1] = sums;
  }
  __syncthreads();
  *total = s[WARPS];
  return lane == 0 ? s[t / WARP] : Op()(s[t / WARP], left);
#endif
}

// Tiles -----------------------------------------------------------------------------------------------------

__device__ constexpr int place(int i) { return i + i / WARP; }

template <class T> struct __align__(16) tile_of {
  T at[TILE + TILE / WARP];
};
extern __shared__ __align__(16) unsigned char room[];

// Tile from `first` on, up to `end`: into shared memory, a run of ITEMS in registers.
template <class Op> __device__ inline void load(const typename Op::T *in, size_t first, size_t end, typename Op::T (&x)[ITEMS]) {
  auto &tile = *reinterpret_cast<tile_of<typename Op::T> *>(room);
  __syncthreads();
  for (int i = rank(); i < TILE; i += THREADS) tile.at[place(i)] = first + i < end ? in[first + i] : Op::neutral();
  __syncthreads();
#pragma unroll
  for (int k = 0; k < ITEMS; k++) x[k] = tile.at[place(rank() * ITEMS + k)];
}

template <class Op> __device__ inline typename Op::T reduce(const typename Op::T (&x)[ITEMS]) {
  auto all = x[0];
#pragma unroll
  for (int k = 1; k < ITEMS; k++) all = Op()(all, x[k]);
  return all;
}

// Lab 02's steps over the runs of a tile, for who asks for the naive tile: as many operations as elements and
// steps.
template <class Op> __device__ void naive(typename Op::T (&x)[ITEMS]) {
  auto &tile = *reinterpret_cast<tile_of<typename Op::T> *>(room);
  for (int offset = 1; offset < TILE; offset *= 2) {
    typename Op::T left[ITEMS];
    __syncthreads();
    for (int k = 0; k < ITEMS; k++) tile.at[place(k * THREADS + rank())] = x[k];
    __syncthreads();
    for (int k = 0; k < ITEMS; k++) {
      const int i = k * THREADS + rank();
      if (i >= offset) left[k] = tile.at[place(i - offset)];
    }
    for (int k = 0; k < ITEMS; k++)
      if (k * THREADS + rank() >= offset) x[k] = Op()(left[k], x[k]);
  }
}

// Scans the tile, with `before` in front, and stores it. The barrier of over_threads has been passed.
template <class Op>
__device__ inline void store(typename Op::T *out, size_t first, size_t end, bool inclusive, typename Op::T before,
                             const typename Op::T (&x)[ITEMS]) {
  auto &tile = *reinterpret_cast<tile_of<typename Op::T> *>(room);
#pragma unroll
  for (int k = 0; k < ITEMS; k++) {
    const auto upto = Op()(before, x[k]);
    tile.at[place(rank() * ITEMS + k)] = inclusive ? upto : before;
    before = upto;
  }
  __syncthreads();
  for (int i = rank(); i < TILE; i += THREADS)
    if (first + i < end) out[first + i] = tile.at[place(i)];
}

// Chunks ----------------------------------------------------------------------------------------------------

#if defined SCHEME_CHUNKS
struct chunks {
  size_t n, length; // of one; a multiple of TILE
  __device__ size_t begin(int b) const { return b * length < n ? b * length : n; }
};

template <class Op>
__global__ void __launch_bounds__(THREADS) reduce_kernel(const typename Op::T *in, typename Op::T *sums, chunks c, int first_chunk) {
  const int b = first_chunk + blockIdx.x;
  auto all = Op::neutral();
  for (size_t at = c.begin(b); at < c.begin(b + 1); at += TILE) {
    typename Op::T x[ITEMS], total;
    load<Op>(in, at, c.begin(b + 1), x);
    over_threads<Op>(reduce<Op>(x), &total);
    all = Op()(all, total);
  }
  if (rank() == 0) sums[b] = all;
}

template <class Op> __global__ void __launch_bounds__(THREADS) sums_kernel(typename Op::T *sums, int count) {
  typename Op::T total;
  const auto before = over_threads<Op>(rank() < count ? sums[rank()] : Op::neutral(), &total);
  if (rank() < count) sums[rank()] = before;
}

template <class Op>
__global__ void __launch_bounds__(THREADS)
    scan_kernel(const typename Op::T *in, typename Op::T *out, const typename Op::T *sums, chunks c, int first_chunk, bool inclusive, bool by_steps) {
  const int b = first_chunk + blockIdx.x;
  auto before = sums ? sums[b] : Op::neutral();
  for (size_t at = c.begin(b); at < c.begin(b + 1); at += TILE) {
    typename Op::T x[ITEMS], total;
    load<Op>(in, at, c.begin(b + 1), x);
    if (by_steps) { // the elements of a thread lie THREADS apart here
      for (int k = 0; k < ITEMS; k++) x[k] = reinterpret_cast<tile_of<typename Op::T> *>(room)->at[place(k * THREADS + rank())];
      naive<Op>(x);
      auto &tile = *reinterpret_cast<tile_of<typename Op::T> *>(room);
      __syncthreads();
      for (int k = 0; k < ITEMS; k++) tile.at[place(k * THREADS + rank())] = x[k];
      __syncthreads();
      for (int k = 0; k < ITEMS; k++) {
        const size_t i = k * THREADS + rank();
        if (at + i >= c.begin(b + 1)) continue;
        out[at + i] = inclusive ? Op()(before, x[k]) : i == 0 ? before : Op()(before, tile.at[place(i - 1)]);
      }
      total = tile.at[place(TILE - 1)];
    } else {
      const auto lower = over_threads<Op>(reduce<Op>(x), &total);
      store<Op>(out, at, c.begin(b + 1), inclusive, Op()(before, lower), x);
    }
    before = Op()(before, total);
  }
}

#ifdef MEMORY_VARIABLE
__device__ unsigned long long variable[BLOCKS];
#endif

template <class Op> static cudaError_t scan(const lab05_args *a) {
  using T = typename Op::T;
  const T *in = static_cast<const T *>(a->in);
  T *out = static_cast<T *>(a->out), *sums = nullptr;
  const size_t bytes = sizeof(tile_of<T>);
  SL_CUDA(cudaFuncSetAttribute(reduce_kernel<Op>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
  SL_CUDA(cudaFuncSetAttribute(scan_kernel<Op>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
  chunks c = {a->n, (a->n + BLOCKS - 1) / BLOCKS};
  c.length = (c.length + TILE - 1) / TILE * TILE;
  const int count = int((a->n + c.length - 1) / c.length);
  bool inclusive = a->kind == SL_INCLUSIVE, by_steps = a->tile == SL_TILE_NAIVE;
  if (count == 1) {
    scan_kernel<Op><<<1, shape(), bytes>>>(in, out, nullptr, c, 0, inclusive, by_steps);
    return cudaGetLastError();
  }
#if defined MEMORY_PINNED
  SL_CUDA(cudaMallocHost((void **)&sums, BLOCKS * sizeof(T)));
#elif defined MEMORY_VARIABLE
  SL_CUDA(cudaGetSymbolAddress((void **)&sums, variable));
#else
  SL_CUDA(cudaMalloc((void **)&sums, BLOCKS * sizeof(T)));
#endif
#if defined HOST_TWO_STREAMS
  // The right half of the chunks is reduced, and later scanned, beside the left half.
  cudaStream_t stream[2];
  cudaEvent_t scanned, reduced, done;
  for (auto &s : stream) SL_CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  for (auto e : {&scanned, &reduced, &done}) SL_CUDA(cudaEventCreateWithFlags(e, cudaEventDisableTiming));
  const int first[3] = {0, count / 2, count};
  SL_CUDA(cudaDeviceSynchronize());
  for (int k = 0; k < 2; k++) reduce_kernel<Op><<<first[k + 1] - first[k], shape(), bytes, stream[k]>>>(in, sums, c, first[k]);
  SL_CUDA(cudaEventRecord(reduced, stream[1]));
  SL_CUDA(cudaStreamWaitEvent(stream[0], reduced, 0));
  sums_kernel<Op><<<1, shape(), 0, stream[0]>>>(sums, count);
  SL_CUDA(cudaEventRecord(scanned, stream[0]));
  SL_CUDA(cudaStreamWaitEvent(stream[1], scanned, 0));
  for (int k = 0; k < 2; k++)
    scan_kernel<Op><<<first[k + 1] - first[k], shape(), bytes, stream[k]>>>(in, out, sums, c, first[k], inclusive, by_steps);
  SL_CUDA(cudaGetLastError());
  SL_CUDA(cudaEventRecord(done, stream[1]));
  while (cudaEventQuery(done) == cudaErrorNotReady) {}
  for (auto s : stream) SL_CUDA(cudaStreamSynchronize(s));
  for (auto s : stream) SL_CUDA(cudaStreamDestroy(s));
  for (auto e : {scanned, reduced, done}) SL_CUDA(cudaEventDestroy(e));
#elif defined HOST_BUILT
  int zero = 0, chunk_count = count;
  std::vector<void *> lists[3] = {{&in, &sums, &c, &zero}, {&sums, &chunk_count}, {&in, &out, &sums, &c, &zero, &inclusive, &by_steps}};
  void *kernels[3] = {(void *)reduce_kernel<Op>, (void *)sums_kernel<Op>, (void *)scan_kernel<Op>};
  cudaGraph_t graph;
  cudaGraphNode_t node[3];
  cudaGraphExec_t exec;
  SL_CUDA(cudaGraphCreate(&graph, 0));
  for (int k = 0; k < 3; k++) {
    cudaKernelNodeParams p = {};
    p.func = kernels[k], p.kernelParams = lists[k].data(), p.blockDim = shape();
    p.gridDim = k == 1 ? 1 : count, p.sharedMemBytes = k == 1 ? 0 : unsigned(bytes);
    SL_CUDA(cudaGraphAddKernelNode(&node[k], graph, k ? &node[k - 1] : nullptr, k > 0, &p));
  }
  SL_CUDA(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  SL_CUDA(cudaGraphLaunch(exec, cudaStreamLegacy));
  SL_CUDA(cudaStreamSynchronize(cudaStreamLegacy));
  SL_CUDA(cudaGraphExecDestroy(exec));
  SL_CUDA(cudaGraphDestroy(graph));
#else
  reduce_kernel<Op><<<count, shape(), bytes>>>(in, sums, c, 0);
  sums_kernel<Op><<<1, shape()>>>(sums, count);
  scan_kernel<Op><<<count, shape(), bytes>>>(in, out, sums, c, 0, inclusive, by_steps);
  SL_CUDA(cudaGetLastError());
#endif
#if defined MEMORY_PINNED
  SL_CUDA(cudaDeviceSynchronize());
  return cudaFreeHost(sums);
#elif defined MEMORY_VARIABLE
  return cudaSuccess;
#else
  return cudaFree(sums);
#endif
}

// States ----------------------------------------------------------------------------------------------------

#else
enum : uint64_t { NOTHING, OWN, UPTO }; // a tile's state: the sum of its own elements, or of all up to its end

// One word of 64 bits for each 32 of a value: the value below, the state above. A value counts where its
// states agree.
template <class T> struct state {
  cuda::atomic<uint64_t, cuda::thread_scope_device> word[sizeof(T) / 4];
  struct bits {
    uint32_t at[sizeof(T) / 4];
  };
  __device__ void put(T value, uint64_t what) {
    const bits b = cuda::std::bit_cast<bits>(value);
    for (unsigned k = 0; k < sizeof(T) / 4; k++) word[k].store(what << 32 | b.at[k], cuda::memory_order_relaxed);
  }
  __device__ uint64_t get(T *value) const { // NOTHING while the words do not agree
    bits b;
    uint64_t what = NOTHING;
    for (unsigned k = 0; k < sizeof(T) / 4; k++) {
      const uint64_t w = word[k].load(cuda::memory_order_relaxed);
      b.at[k] = uint32_t(w);
      what = k == 0 || what == w >> 32 ? w >> 32 : uint64_t(NOTHING);
    }
    *value = cuda::std::bit_cast<T>(b);
    return what;
  }
};

template <class T> struct board {
  unsigned int next_tile;
  alignas(16) state<T> tile[1];
};

// What stands before the tile. One thread calls it, or with LOOK_WARP the first warp: its lane 0 has the sum.
template <class Op> __device__ typename Op::T look_back(const board<typename Op::T> *board, unsigned tile) {
  using T = typename Op::T;
  T before = Op::neutral();
#ifdef LOOK_WARP
  const int lane = rank() % WARP;
  for (int64_t end = int64_t(tile) - 1; end >= 0; end -= WARP) { // lane k looks at tile end - k
    T value = Op::neutral();
    uint64_t what = UPTO;
    if (end >= lane) {
      do what = board->tile[end - lane].get(&value);
      while (what == NOTHING);
    }
    const uint32_t known = __ballot_sync(~0u, what == UPTO);
    const int nearest = __ffs(known) - 1; // -1 if none knows all that stands before it
    if (nearest >= 0 && lane > nearest) value = Op::neutral();
    for (int offset = 1; offset < WARP; offset *= 2) { // lane 0 joins all, the highest lane on the left
      const T left = from_lane(value, lane + offset & WARP - 1);
      if (lane + offset < WARP) value = Op()(left, value);
    }
    before = Op()(value, before);
    if (known) break;
  }
#else
  for (unsigned other = tile; other-- > 0;) {
    T value;
    uint64_t what;
    while ((what = board->tile[other].get(&value)) == NOTHING) __nanosleep(20);
    before = Op()(value, before);
    if (what == UPTO) break;
  }
#endif
  return before;
}

template <class Op>
__global__ void __launch_bounds__(THREADS)
    scan_kernel(const typename Op::T *in, typename Op::T *out, size_t n, unsigned tiles, board<typename Op::T> *board, bool inclusive, bool by_steps) {
  using T = typename Op::T;
  __shared__ unsigned s_tile;
  __shared__ T s_before;
#ifdef PERSISTENT
  for (;;) {
#endif
    if (rank() == 0) s_tile = cuda::atomic_ref<unsigned, cuda::thread_scope_device>(board->next_tile).fetch_add(1u, cuda::memory_order_relaxed);
    __syncthreads();
    const unsigned tile = s_tile;
    if (tile >= tiles) return;
    T x[ITEMS], total, lower;
    load<Op>(in, size_t(tile) * TILE, n, x);
    if (by_steps) { // steps over the threads' runs, and over each run
      for (int k = 0; k < ITEMS; k++) x[k] = reinterpret_cast<tile_of<T> *>(room)->at[place(k * THREADS + rank())];
      naive<Op>(x);
      __syncthreads();
      auto &sums = *reinterpret_cast<tile_of<T> *>(room);
      for (int k = 0; k < ITEMS; k++) sums.at[place(k * THREADS + rank())] = x[k];
      __syncthreads();
      total = sums.at[place(TILE - 1)];
      lower = Op::neutral();
    } else {
      lower = over_threads<Op>(reduce<Op>(x), &total);
    }
    if (rank() < WARP) {
      if (rank() == 0 && tile > 0) board->tile[tile].put(total, OWN);
#ifdef LOOK_WARP
      const T before = look_back<Op>(board, tile);
#else
      const T before = rank() == 0 ? look_back<Op>(board, tile) : Op::neutral();
#endif
      if (rank() == 0) {
        board->tile[tile].put(Op()(before, total), UPTO);
        s_before = before;
      }
    }
    __syncthreads();
    const T before = s_before;
    if (by_steps) {
      auto &sums = *reinterpret_cast<tile_of<T> *>(room);
      for (int i = rank(); i < TILE; i += THREADS) {
        const size_t at = size_t(tile) * TILE + i;
        if (at >= n) break;
        out[at] = inclusive ? Op()(before, sums.at[place(i)]) : i == 0 ? before : Op()(before, sums.at[place(i - 1)]);
      }
    } else {
      store<Op>(out, size_t(tile) * TILE, n, inclusive, Op()(before, lower), x);
    }
#ifdef PERSISTENT
    __syncthreads();
  }
#endif
}

template <class Op> static cudaError_t scan(const lab05_args *a) {
  using T = typename Op::T;
  const unsigned tiles = unsigned((a->n + TILE - 1) / TILE);
  const size_t bytes = sizeof(tile_of<T>), board_bytes = sizeof(board<T>) + tiles * sizeof(state<T>);
  board<T> *on = nullptr;
#ifdef MEMORY_POOL
  SL_CUDA(cudaMallocAsync((void **)&on, board_bytes, cudaStreamPerThread));
  SL_CUDA(cudaStreamSynchronize(cudaStreamPerThread));
#else
  SL_CUDA(cudaMalloc((void **)&on, board_bytes));
#endif
  SL_CUDA(cudaMemset(on, 0, board_bytes));
  SL_CUDA(cudaFuncSetAttribute(scan_kernel<Op>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
#if defined GRID_2D
  const dim3 grid(tiles < 64 ? tiles : 64, (tiles + 63) / 64);
#elif defined PERSISTENT
  int device, processors, per;
  SL_CUDA(cudaGetDevice(&device));
  SL_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  SL_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, scan_kernel<Op>, THREADS, bytes));
  const dim3 grid(unsigned(processors * per) < tiles ? unsigned(processors * per) : tiles);
#else
  const dim3 grid(tiles);
#endif
  scan_kernel<Op><<<grid, shape(), bytes>>>(static_cast<const T *>(a->in), static_cast<T *>(a->out), a->n, tiles, on, a->kind == SL_INCLUSIVE,
                                            a->tile == SL_TILE_NAIVE);
  SL_CUDA(cudaGetLastError());
#ifdef MEMORY_POOL
  SL_CUDA(cudaFreeAsync(on, 0));
  return cudaDeviceSynchronize();
#else
  return cudaFree(on);
#endif
}
#endif

extern "C" cudaError_t lab05_scan(const lab05_args *a) {
  if (a->n == 0) return cudaSuccess;
  return with_operator(a, [a](auto op) { return scan<decltype(op)>(a); });
}
