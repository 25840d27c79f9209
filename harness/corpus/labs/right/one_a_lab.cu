// One style a lab, as a student might hand it in.
//
// right 01 ptx_and_counted_barrier: PLAIN | loses 01.work.*: zeros are added to find what stands before a warp
// right 02 reduce_then_scan: PLAIN | loses 02.work.*: every element is added twice
// right 03 eight_a_thread: PLAIN | loses 03.work.*: every thread adds up the sums of the warps before
// right 04 rotated_rows: PLAIN
// right 05 blocks_that_stay: PLAIN | loses 05.work.*: every thread adds up the sums of all warps and of the blocks before
#include "scanlab/lab.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>

#if LAB == 1
// Lab 01, by inline PTX: shuffles whose predicate guards the addition, a barrier with a count, reduce then
// scan.

__device__ __forceinline__ float scan_warp(float x) {
#pragma unroll
  for (int o = 1; o < 32; o <<= 1)
    asm volatile("{ .reg .pred p; .reg .f32 y; shfl.sync.up.b32 y|p, %0, %1, 0, -1; @p add.f32 %0, %0, y; }"
                 : "+f"(x)
                 : "r"(o));
  return x;
}

__global__ void scan(const float *in, float *out, int n) {
  __shared__ float of_warp[32];
  unsigned lane, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  const float x = threadIdx.x < n ? in[threadIdx.x] : 0.f, upto = scan_warp(x);
  if (lane == 31) of_warp[warp] = upto;
  asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x) : "memory");
  float before = 0;
  if (lane < warp) before = of_warp[lane];
  for (int o = 16; o; o >>= 1) before += __shfl_xor_sync(~0u, before, o);
  if (threadIdx.x < n) out[threadIdx.x] = warp ? upto + before : upto;
  (void)warps;
}

extern "C" cudaError_t lab01_naive_scan(const float *d_in, float *d_out, int n) {
  if (n == 0) return cudaSuccess;
  scan<<<1, (n + 31) / 32 * 32>>>(d_in, d_out, n);
  return cudaGetLastError();
}

#elif LAB == 2
// Lab 02: every warp has a share of the elements in a row, which it walks 32 at a time: once to add up,
// once to scan.
namespace cg = cooperative_groups;
template <int WARPS> __global__ void scan(const float *in, float *out, int n) {
  __shared__ float sums[WARPS];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  const int share = (n + WARPS - 1) / WARPS, first = warp.meta_group_rank() * share,
            end = min(n, first + share);
  float mine = 0;
  for (int i = first + warp.thread_rank(); i < end; i += 32) mine += in[i];
  const float sum = cg::reduce(warp, mine, cg::plus<float>());
  cg::invoke_one(warp, [&] { sums[warp.meta_group_rank()] = sum; });
  block.sync();
  float before = 0;
  for (int w = 0; w < warp.meta_group_rank(); w++) before += sums[w];
  for (int i = first; i < end; i += 32) {
    const int k = i + warp.thread_rank();
    const float x = k < end ? in[k] : 0, upto = cg::inclusive_scan(warp, x), left = warp.shfl_up(upto, 1);
    if (k < end) out[k] = warp.thread_rank() ? before + left : before;
    before += warp.shfl(upto, 31);
  }
}

extern "C" cudaError_t lab02_double_buffer_scan(const float *d_in, float *d_out, int n) {
  if (n == 0) return cudaSuccess;
  if (n <= 64) scan<1><<<1, 32>>>(d_in, d_out, n);
  else scan<8><<<1, 256>>>(d_in, d_out, n);
  return cudaGetLastError();
}

#elif LAB == 3
// Lab 03: eight elements a thread as two float4 where they are there, a tree in registers, the last level
// of warps by one warp.
template <int N> struct tree { // sums of N registers in place: up, and down with what stands before
  static __device__ float up(float *x) {
    const float l = tree<N / 2>::up(x), r = tree<N / 2>::up(x + N / 2);
    return x[N - 1] = l + r;
  }
  static __device__ void down(float *x, float before) {
    const float left = x[N / 2 - 1];
    tree<N / 2>::down(x, before);
    tree<N / 2>::down(x + N / 2, before + left);
  }
};
template <> struct tree<1> {
  static __device__ float up(float *x) { return *x; }
  static __device__ void down(float *x, float before) { *x = before; }
};

__global__ void scan(const float *in, float *out, int n) {
  __shared__ float s[8];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, i = 8 * threadIdx.x;
  float x[8];
  if (i + 8 <= n) {
    reinterpret_cast<float4 *>(x)[0] = reinterpret_cast<const float4 *>(in + i)[0];
    reinterpret_cast<float4 *>(x)[1] = reinterpret_cast<const float4 *>(in + i)[1];
  } else
#pragma unroll
    for (int k = 0; k < 8; k++) x[k] = i + k < n ? in[i + k] : 0;
  const float mine = tree<8>::up(x);
  float upto = mine;
  for (int o = 1; o < 32; o *= 2) {
    const float left = __shfl_up_sync(~0u, upto, o);
    if (lane >= o) upto += left;
  }
  if (lane == 31) s[warp] = upto;
  __syncthreads();
  float before = __shfl_up_sync(~0u, upto, 1);
  if (!lane) before = 0;
  for (int w = 0; w < warp; w++) before += s[w];
  tree<8>::down(x, before);
  if (i + 8 <= n) {
    reinterpret_cast<float4 *>(out + i)[0] = reinterpret_cast<const float4 *>(x)[0];
    reinterpret_cast<float4 *>(out + i)[1] = reinterpret_cast<const float4 *>(x)[1];
  } else
#pragma unroll
    for (int k = 0; k < 8; k++)
      if (i + k < n) out[i + k] = x[k];
}

extern "C" cudaError_t lab03_blelloch_scan(const float *d_in, float *d_out, int n) {
  if (n == 0) return cudaSuccess;
  scan<<<1, (n + 255) / 256 * 32>>>(d_in, d_out, n);
  return cudaGetLastError();
}

#elif LAB == 4
// Lab 04: no gaps: each row of 32 words is turned by its number, so that the array takes no more room.
// Elements t and t + m/2.

__host__ __device__ constexpr int at(int i) { return (i & ~31) | ((i + (i >> 5) + (i >> 10)) & 31); }

__global__ void scan(const float *in, float *out, int n, int m) {
  extern __shared__ float s[];
  const int t = threadIdx.x, half = m / 2;
  s[at(t)] = t < n ? in[t] : 0;
  s[at(t + half)] = t + half < n ? in[t + half] : 0;
  int d = 1;
  for (int pairs = half; pairs > 0; pairs >>= 1, d <<= 1) {
    __syncthreads();
    if (t < pairs) s[at(d * (2 * t + 2) - 1)] += s[at(d * (2 * t + 1) - 1)];
  }
  if (t == 0) s[at(m - 1)] = 0;
  for (int pairs = 1; pairs < m; pairs <<= 1) {
    d >>= 1;
    __syncthreads();
    if (t < pairs) {
      const int l = at(d * (2 * t + 1) - 1), r = at(d * (2 * t + 2) - 1);
      const float x = s[l];
      s[l] = s[r];
      s[r] += x;
    }
  }
  __syncthreads();
  if (t < n) out[t] = s[at(t)];
  if (t + half < n) out[t + half] = s[at(t + half)];
}

extern "C" cudaError_t lab04_padded_scan(const float *d_in, float *d_out, int n) {
  if (n == 0) return cudaSuccess;
  int m = 64;
  while (m < n) m *= 2;
  scan<<<1, m / 2, m * sizeof(float)>>>(d_in, d_out, n, m);
  return cudaGetLastError();
}

#elif LAB == 5
// Lab 05: one persistent grid, as many blocks as the device holds. Each takes a stretch of tiles: it adds
// up, waits for all (a counter by cuda::atomic_ref), adds up the sums of those before it, and scans its
// stretch. Kept in a template over operator and tile.

enum { T = 512, EACH = 4, TILE = T * EACH };

template <class X> struct plus {
  typedef X type;
  static __device__ X zero() { return 0; }
  static __device__ X of(X a, X b) { return a + b; }
};
template <class X> struct most {
  typedef X type;
  static __device__ X zero();
  static __device__ X of(X a, X b) { return b > a ? b : a; }
};
template <> __device__ float most<float>::zero() { return -__int_as_float(0x7f800000); }
template <> __device__ int32_t most<int32_t>::zero() { return INT32_MIN; }
template <> __device__ uint32_t most<uint32_t>::zero() { return 0; }
struct compose {
  typedef sl_affine type;
  static __device__ type zero() { return {1, 0}; }
  static __device__ type of(type l, type r) { return {l.a * r.a, r.a * l.b + r.b}; }
};
template <class X> __device__ X up(X x, int by) { return __shfl_up_sync(~0u, x, by); }
__device__ inline sl_affine up(sl_affine x, int by) {
  return {__shfl_up_sync(~0u, x.a, by), __shfl_up_sync(~0u, x.b, by)};
}

// Exclusive over the block's threads, *all of the block.
template <class O> __device__ typename O::type over_block(typename O::type x, typename O::type *all) {
  typedef typename O::type X;
  __shared__ X s[T / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int o = 1; o < 32; o *= 2) {
    const X left = up(x, o);
    if (lane >= o) x = O::of(left, x);
  }
  __syncthreads();
  if (lane == 31) s[warp] = x;
  __syncthreads();
  X before = O::zero(), sum = O::zero();
  for (int w = 0; w < T / 32; w++) {
    if (w == warp) before = sum;
    sum = O::of(sum, s[w]);
  }
  *all = sum;
  const X left = up(x, 1);
  return lane ? O::of(before, left) : before;
}

// Each thread's EACH elements of the tile, in a row, by way of shared memory.
template <class X> __device__ void load(const X *in, size_t first, size_t n, X *x, X zero, X *s) {
  for (int k = threadIdx.x; k < TILE; k += T) s[k + k / 32] = first + k < n ? in[first + k] : zero;
  __syncthreads();
  for (int k = 0; k < EACH; k++) x[k] = s[threadIdx.x * EACH + k + (threadIdx.x * EACH + k) / 32];
  __syncthreads();
}

template <class O>
__global__ void scan(const typename O::type *in, typename O::type *out, size_t n, sl_kind kind,
                     typename O::type *sums, unsigned *done) {
  typedef typename O::type X;
  __shared__ unsigned char raw[(TILE + TILE / 32) * sizeof(X)];
  X *s = reinterpret_cast<X *>(raw), x[EACH], all, sum = O::zero();
  const size_t tiles = (n + TILE - 1) / TILE, share = (tiles + gridDim.x - 1) / gridDim.x,
               from = blockIdx.x * share, to = from + share < tiles ? from + share : tiles;
  if (gridDim.x > 1) {
    for (size_t t = from; t < to; t++) {
      load(in, t * TILE, n, x, O::zero(), s);
      X mine = x[0];
      for (int k = 1; k < EACH; k++) mine = O::of(mine, x[k]);
      over_block<O>(mine, &all);
      sum = O::of(sum, all);
    }
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> counter(*done);
    if (threadIdx.x == 0) {
      sums[blockIdx.x] = sum;
      counter.fetch_add(1, cuda::memory_order_release);
      while (counter.load(cuda::memory_order_acquire) < gridDim.x) {
      }
    }
    __syncthreads();
    sum = O::zero();
    for (unsigned b = 0; b < blockIdx.x; b++) sum = O::of(sum, sums[b]);
  }
  for (size_t t = from; t < to; t++) {
    load(in, t * TILE, n, x, O::zero(), s);
    X mine = x[0];
    for (int k = 1; k < EACH; k++) mine = O::of(mine, x[k]);
    X before = O::of(sum, over_block<O>(mine, &all));
    for (int k = 0; k < EACH; k++) {
      const X upto = O::of(before, x[k]);
      s[threadIdx.x * EACH + k + (threadIdx.x * EACH + k) / 32] = kind == SL_INCLUSIVE ? upto : before;
      before = upto;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < TILE; k += T)
      if (t * TILE + k < n) out[t * TILE + k] = s[k + k / 32];
    __syncthreads();
    sum = O::of(sum, all);
  }
}

template <class O> static cudaError_t start(const lab05_args *a) {
  typedef typename O::type X;
  int per = 0, sms = 0;
  SL_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  SL_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, scan<O>, T, 0));
  const size_t tiles = (a->n + TILE - 1) / TILE, most_blocks = (size_t)per * sms;
  const unsigned blocks = unsigned(tiles < most_blocks ? tiles : most_blocks);
  char *room;
  SL_CUDA(cudaMalloc((void **)&room, 16 + blocks * sizeof(X)));
  SL_CUDA(cudaMemset(room, 0, 16));
  const X *in = (const X *)a->in;
  X *out = (X *)a->out, *sums = (X *)(room + 16);
  unsigned *done = (unsigned *)room;
  size_t n = a->n;
  sl_kind kind = a->kind;
  void *args[] = {&in, &out, &n, &kind, &sums, &done};
  const cudaError_t e = cudaLaunchCooperativeKernel((void *)scan<O>, dim3(blocks), dim3(T), args),
                    f = cudaFree(room);
  return e ? e : f;
}

extern "C" cudaError_t lab05_scan(const lab05_args *a) {
  if (a->n == 0) return cudaSuccess;
  switch (a->op) {
  case SL_ADD: return a->type == SL_F32 ? start<plus<float>>(a) : start<plus<uint32_t>>(a);
  case SL_MAX:
    return a->type == SL_F32   ? start<most<float>>(a)
           : a->type == SL_I32 ? start<most<int32_t>>(a)
                               : start<most<uint32_t>>(a);
  default: return start<compose>(a);
  }
}

#endif
