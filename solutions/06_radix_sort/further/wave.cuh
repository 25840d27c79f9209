// Step 5, for small n: one wave. All blocks run at the same time, each publishes the sum of its tile and
// reads the sums of all tiles before it at once: two trips to memory between the load and the store, whatever
// n is.
//
// The blocks wait for each other, so they are launched cooperatively: then they do run at the same time.
// Nobody draws a ticket: a block's tile is its index. The epoch is a word that every block reads while its
// tile is being loaded; the block of the last tile, which has seen the sums of all others and so knows that
// they have read it, starts the next. Elements stay in registers.
//
// Interface: wave_plan_new once, then wave_scan for n <= wave_limit any number of times on one stream.
#ifndef FURTHER_WAVE_CUH
#define FURTHER_WAVE_CUH

#include "tile.cuh"
#include <type_traits>

#ifndef WAVE_COPIES
#define WAVE_COPIES 4
#endif

enum { MAX_WAVE = 1024 }; // tiles

// A tile is VECTORS times THREADS vectors of 16 bytes. A warp has a chunk of VECTORS rows of 32 neighbouring
// vectors.
template <class T_, int THREADS_, int VECTORS_, int BLOCKS_ = 2> struct wave_shape {
  typedef T_ T;
  static constexpr int THREADS = THREADS_, VECTORS = VECTORS_, BLOCKS = BLOCKS_, WARPS = THREADS / 32;
  static constexpr int PER_VECTOR = 16 / sizeof(T), ROW = 32 * PER_VECTOR, TILE = THREADS * VECTORS * PER_VECTOR;
};

template <class Op, class S>
__device__ inline void load_vector(typename S::T *item, const typename S::T *in, int64_t first, const scan_layout &l) {
  if (l.shift == 0 && first >= 0 && first + S::PER_VECTOR <= l.n) {
    const uint4 v = *reinterpret_cast<const uint4 *>(in + first);
    memcpy(item, &v, sizeof v);
    return;
  }
#pragma unroll
  for (int i = 0; i < S::PER_VECTOR; i++)
    item[i] = first + i >= 0 && first + i < l.n ? in[first + i] : Op::identity();
}

template <class S>
__device__ inline void store_vector(typename S::T *out, const typename S::T *item, int64_t first, int64_t n) {
  if (first >= 0 && first + S::PER_VECTOR <= n) {
    uint32_t w[4]; // in so many words: the compiler would make four narrow stores of an assignment
    memcpy(w, item, sizeof w);
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(out + first)), "r"(w[0]),
                 "r"(w[1]), "r"(w[2]), "r"(w[3])
                 : "memory");
    return;
  }
#pragma unroll
  for (int i = 0; i < S::PER_VECTOR; i++) {
    if (first + i >= 0 && first + i < n) out[first + i] = item[i];
  }
}

// May the elements of a tile be combined in any order? Then its sum is known before anything is scanned, and
// is on its way to the others while this block scans.
template <class Op> struct any_order {
  static constexpr bool value = false;
};
template <class T> struct any_order<op_add<T>> {
  static constexpr bool value = true;
};

// The sum of x over the warp, in every lane. Collective.
template <class Op> __device__ inline typename Op::type warp_total(typename Op::type x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (std::is_same<Op, op_add<uint32_t>>::value || std::is_same<Op, op_add<int>>::value)
    return __reduce_add_sync(~0u, x);
#endif
  return shuffle_from(warp_inclusive<Op>(x), 31);
}

// Sums up the warp's chunk; before[i]: what lies before this lane's vector in row i. Collective for a warp.
template <class Op, class S>
__device__ inline typename S::T scan_rows(typename S::T *before, const typename S::T item[][S::PER_VECTOR]) {
  typedef typename S::T T;
  T chunk = Op::identity();
#pragma unroll
  for (int i = 0; i < S::VECTORS; i++) {
    T sum = item[i][0];
#pragma unroll
    for (int j = 1; j < S::PER_VECTOR; j++) sum = Op::combine(sum, item[i][j]);
    sum = warp_inclusive<Op>(sum);
    before[i] = shuffle_up(sum, 1);
    before[i] = Op::combine(chunk, threadIdx.x % 32 == 0 ? Op::identity() : before[i]);
    chunk = Op::combine(chunk, shuffle_from(sum, 31));
  }
  return chunk;
}

template <class Op, class S> __device__ inline typename S::T sum_items(const typename S::T item[][S::PER_VECTOR]) {
  typename S::T sum = item[0][0];
#pragma unroll
  for (int i = 1; i < S::VECTORS * S::PER_VECTOR; i++) sum = Op::combine(sum, item[i / S::PER_VECTOR][i % S::PER_VECTOR]);
  return sum;
}

// The sums of all tiles, WAVE_COPIES times: all blocks read the same few lines at about the same time.
template <class S>
__device__ inline void publish_wave(typename S::T total, uint32_t epoch, packed_state<typename S::T> *sums) {
  if (threadIdx.x < WAVE_COPIES) publish(&sums[threadIdx.x * MAX_WAVE + blockIdx.x], tag_of(epoch, SUM), total);
}

// The lines this block's sum goes to may be in memory, and unknown to the multiprocessor: they are asked for
// while the tile is being loaded.
template <class S> __device__ inline void wake_wave(const packed_state<typename S::T> *sums) {
  if (threadIdx.x >= 32 && threadIdx.x < 32 + WAVE_COPIES)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(
        __cvta_generic_to_global(&sums[(threadIdx.x - 32) * MAX_WAVE + blockIdx.x])));
}

// The sum of the tiles before this block's, once they are there. Collective for the block.
template <class Op, class S>
__device__ inline typename S::T before_wave(uint32_t epoch, const packed_state<typename S::T> *sums) {
  typedef typename S::T T;
  __shared__ T s_part[S::WARPS];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, tiles = blockIdx.x;
  sums += blockIdx.x % WAVE_COPIES * MAX_WAVE;
  T part = Op::identity(); // thread i has the tiles i*each .. (i+1)*each-1
  const int each = (gridDim.x + S::THREADS - 1) / S::THREADS;
  for (int i = threadIdx.x * each; i < threadIdx.x * each + each && i < tiles; i++) {
    T value;
    while (inspect(&sums[i], epoch, &value) == EMPTY) {
    }
    part = Op::combine(part, value);
  }
  __syncwarp();
  part = warp_total<Op>(part);
  if (lane == 0) s_part[warp] = part;
  __syncthreads();
  return warp_total<Op>(lane < S::WARPS ? s_part[lane] : Op::identity());
}

/* Kernel:   wave_scan_kernel — exclusive scan of in by Op, all tiles at the same time
 * Launch:   grid = layout.tiles, at most MAX_WAVE and what the GPU holds, cooperative; block = THREADS
 * Shared:   static, 2 * WARPS elements and the epoch
 * Work:     2*TILE + tiles combinations and O(THREADS) a tile   Steps: O(VECTORS)   Barriers: 2
 * Valid in: out[0..n)   In-place: yes (out may be in)
 * Source:   one trip of messages in place of a chain */
template <class Op, class S>
__global__ void __launch_bounds__(S::THREADS, S::BLOCKS)
    wave_scan_kernel(const typename S::T *in, typename S::T *out, scan_layout layout, unsigned long long *counter,
                     packed_state<typename S::T> *sums) {
  typedef typename S::T T;
  __shared__ T s_sum[S::WARPS];
  __shared__ uint32_t s_epoch;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int64_t first = int64_t(blockIdx.x) * S::TILE - layout.head + warp * S::VECTORS * S::ROW + lane * S::PER_VECTOR;
  T item[S::VECTORS][S::PER_VECTOR], before[S::VECTORS], chunk;
  if (gridDim.x > 1) wake_wave<S>(sums);
#pragma unroll
  for (int i = 0; i < S::VECTORS; i++) load_vector<Op, S>(item[i], in, first + i * S::ROW, layout);
  if (threadIdx.x == 0 && gridDim.x > 1) s_epoch = uint32_t(load_relaxed(counter) >> 32);
  if constexpr (any_order<Op>::value)
    chunk = warp_total<Op>(sum_items<Op, S>(item));
  else
    chunk = scan_rows<Op, S>(before, item);
  if (lane == 0) s_sum[warp] = chunk;
  __syncthreads();
  chunk = lane < S::WARPS ? s_sum[lane] : Op::identity();
  if (warp == 0 && gridDim.x > 1) publish_wave<S>(warp_total<Op>(chunk), s_epoch, sums);
  const T chunks = warp_inclusive<Op>(chunk);
  if constexpr (any_order<Op>::value) scan_rows<Op, S>(before, item);
  T prefix = Op::identity();
  if (gridDim.x > 1) {
    prefix = before_wave<Op, S>(s_epoch, sums);
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0)
      store_relaxed(counter, (unsigned long long)(s_epoch + 1) << 32);
  }
  const T left = shuffle_from(chunks, warp > 0 ? warp - 1 : 0);
  if (warp > 0) prefix = Op::combine(prefix, left);
#pragma unroll
  for (int i = 0; i < S::VECTORS; i++) {
    T sum = Op::combine(prefix, before[i]);
#pragma unroll
    for (int j = 0; j < S::PER_VECTOR; j++) {
      const T next = Op::combine(sum, item[i][j]);
      item[i][j] = sum;
      sum = next;
    }
    store_vector<S>(out, item[i], first + i * S::ROW, layout.n);
  }
}

#endif
