// Lab 05, reduce then scan: tiles pass through shared memory by an XOR swizzle, loaded as uint4 where the
// address allows.
//
// right 05 reduce_swizzled_vectors: LAB_05
#include "scanlab/lab.h"

template <class Type> struct Add {
  typedef Type T;
  __host__ __device__ static T identity() { return T(0); }
  __host__ __device__ static T apply(T l, T r) { return l + r; }
};
template <class Type> struct Max {
  typedef Type T;
  __device__ static T identity();
  __device__ static T apply(T l, T r) { return l < r ? r : l; }
};
template <> __device__ inline float Max<float>::identity() { return __int_as_float(0xff800000); }
template <> __device__ inline int32_t Max<int32_t>::identity() { return INT32_MIN; }
template <> __device__ inline uint32_t Max<uint32_t>::identity() { return 0; }
struct Compose {
  typedef sl_affine T;
  __host__ __device__ static T identity() { return sl_affine{1, 0}; }
  __host__ __device__ static T apply(T l, T r) { return sl_affine{l.a * r.a, r.a * l.b + r.b}; }
};
// The x of the lane d lower, word by word.
template <class T> __device__ inline T up(T x, int d, unsigned m = ~0u) {
  union {
    T t;
    unsigned w[sizeof(T) / 4];
  } u;
  u.t = x;
#pragma unroll
  for (int i = 0; i < int(sizeof(T) / 4); i++) u.w[i] = __shfl_up_sync(m, u.w[i], d);
  return u.t;
}
// Exclusive prefix of x over the NT threads of the block; total is the sum of the block. Two barriers inside.
template <class Op, int NT>
__device__ typename Op::T block_ex(typename Op::T x, typename Op::T *ws, typename Op::T &total) {
  typedef typename Op::T T;
  const int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  T inc = x;
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    T l = up(inc, d);
    if (lane >= d) inc = Op::apply(l, inc);
  }
  if (lane == 31) ws[w] = inc;
  __syncthreads();
  if (w == 0) {
    T y = lane < NT / 32 ? ws[lane] : Op::identity();
    for (int d = 1; d < 32; d <<= 1) {
      T l = up(y, d);
      if (lane >= d) y = Op::apply(l, y);
    }
    if (lane < NT / 32) ws[lane] = y;
  }
  __syncthreads();
  total = ws[NT / 32 - 1];
  T ex = up(inc, 1);
  if (lane == 0) ex = Op::identity();
  return w ? Op::apply(ws[w - 1], ex) : ex;
}

/* Kernel:   sums_k — exclusive scan of m totals in place, 1024 at a time
 * Launch:   grid = 1, block = 1024
 * Shared:   static, 32 elements
 * Work:     O(m)   Steps: ceil(m/1024)   Barriers: 3 a step
 * Source:   Hwu, lecture 4.7 */
template <class Op> __global__ void sums_k(typename Op::T *s, unsigned m) { // one block, any number of sums
  typedef typename Op::T T;
  __shared__ __align__(8) unsigned char raw[32 * sizeof(T)];
  T carry = Op::identity();
  for (unsigned base = 0; base < m; base += 1024) {
    const unsigned i = base + threadIdx.x;
    T x = i < m ? s[i] : Op::identity(), total, ex = block_ex<Op, 1024>(x, (T *)raw, total);
    if (i < m) s[i] = Op::apply(carry, ex);
    carry = Op::apply(carry, total);
    __syncthreads();
  }
}
// Element i of the tile goes to place i ^ (i / 32 % 32); identity past the end.
template <class Op>
__device__ void load_tile(const typename Op::T *in, typename Op::T *s, size_t base, size_t n) {
  typedef typename Op::T T;
  const int per = 16 / sizeof(T), groups = 2048 / per;
  if (base + 2048 <= n && (uintptr_t)(in + base) % 16 == 0) {
    const uint4 *v = reinterpret_cast<const uint4 *>(in + base);
    for (int g = threadIdx.x; g < groups; g += 256) {
      union {
        uint4 u;
        T t[16 / sizeof(T)];
      } x;
      x.u = __ldg(v + g);
      for (int k = 0; k < per; k++) {
        const int i = g * per + k;
        s[i ^ ((i >> 5) & 31)] = x.t[k];
      }
    }
  } else
    for (int i = threadIdx.x; i < 2048; i += 256)
      s[i ^ ((i >> 5) & 31)] = base + i < n ? in[base + i] : Op::identity();
}

/* Kernel:   red_k — sums[b] is the total of tile b
 * Launch:   grid = ceil(n/2048), block = 256
 * Shared:   static, 2056 elements
 * Work:     O(1) an element   Steps: 8 + 2 log2(32)   Barriers: 3
 * Source:   Merrill and Grimshaw, reduce then scan, 2009 */
template <class Op> __global__ void red_k(const typename Op::T *in, typename Op::T *sums, size_t n) {
  typedef typename Op::T T;
  __shared__ __align__(16) unsigned char raw[8 * sizeof(T)], sd[2048 * sizeof(T)];
  T *s = (T *)sd, run = Op::identity(), total;
  load_tile<Op>(in, s, size_t(blockIdx.x) * 2048, n);
  __syncthreads();
  for (int k = 0; k < 8; k++) {
    const int i = threadIdx.x * 8 + k;
    run = Op::apply(run, s[i ^ ((i >> 5) & 31)]);
  }
  block_ex<Op, 256>(run, (T *)raw, total);
  if (threadIdx.x == 255) sums[blockIdx.x] = total;
}

/* Kernel:   scn_k — scans tile b behind sums[b], which may be null for one tile
 * Launch:   grid = ceil(n/2048), block = 256
 * Shared:   static, 2056 elements
 * Work:     O(1) an element   Steps: 16 + 2 log2(32)   Barriers: 4
 * Source:   Merrill and Grimshaw, reduce then scan, 2009 */
template <class Op>
__global__ void scn_k(const typename Op::T *in, typename Op::T *out, const typename Op::T *sums, size_t n,
                      bool incl) {
  typedef typename Op::T T;
  __shared__ __align__(16) unsigned char raw[8 * sizeof(T)], sd[2048 * sizeof(T)];
  T *s = (T *)sd, v[8], run = Op::identity(), total;
  const size_t base = size_t(blockIdx.x) * 2048;
  load_tile<Op>(in, s, base, n);
  __syncthreads();
  for (int k = 0; k < 8; k++) {
    const int i = threadIdx.x * 8 + k;
    v[k] = s[i ^ ((i >> 5) & 31)];
    run = Op::apply(run, v[k]);
  }
  T ex = block_ex<Op, 256>(run, (T *)raw, total);
  if (sums) ex = Op::apply(sums[blockIdx.x], ex);
  for (int k = 0; k < 8; k++) {
    const int i = threadIdx.x * 8 + k;
    T nx = Op::apply(ex, v[k]);
    s[i ^ ((i >> 5) & 31)] = incl ? nx : ex;
    ex = nx;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 2048 && base + i < n; i += 256) out[base + i] = s[i ^ ((i >> 5) & 31)];
}
template <class Op>
cudaError_t efficient(const typename Op::T *in, typename Op::T *out, size_t n, bool incl) {
  const unsigned m = unsigned((n + 2047) / 2048);
  typename Op::T *s = nullptr;
  if (m == 1) {
    scn_k<Op><<<1, 256>>>(in, out, nullptr, n, incl);
    return cudaGetLastError();
  }
  SL_CUDA(cudaMalloc((void **)&s, m * sizeof(*s)));
  red_k<Op><<<m, 256>>>(in, s, n);
  sums_k<Op><<<1, 1024>>>(s, m);
  scn_k<Op><<<m, 256>>>(in, out, s, n, incl);
  SL_CUDA(cudaGetLastError());
  return cudaFree(s);
}

/* Kernel:   naive_tiles — Hillis and Steele with two buffers; sums[b], unless sums is null, is the total of tile b
 * Launch:   grid = ceil(n/1024), block = 1024
 * Shared:   static, 2048 elements
 * Work:     1024 * 10 a tile   Steps: 10   Barriers: 11
 * Source:   Harris 2007 */
template <class Op>
__global__ void naive_tiles(const typename Op::T *in, typename Op::T *out, typename Op::T *sums, size_t n,
                            bool incl) {
  typedef typename Op::T T;
  __shared__ __align__(8) unsigned char raw[2 * 1024 * sizeof(T)];
  T *src = (T *)raw, *dst = src + 1024;
  const int t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * 1024 + t;
  src[t] = i < n ? in[i] : Op::identity();
  for (int d = 1; d < 1024; d *= 2) {
    __syncthreads();
    dst[t] = t >= d ? Op::apply(src[t - d], src[t]) : src[t];
    T *x = src;
    src = dst;
    dst = x;
  }
  __syncthreads();
  if (i < n) out[i] = incl ? src[t] : t ? src[t - 1] : Op::identity();
  if (t == 1023 && sums) sums[blockIdx.x] = src[t];
}

/* Kernel:   naive_add — puts o[b] in front of the elements of tile b, all tiles but the first
 * Launch:   grid = ceil(n/1024) - 1, block = 1024
 * Shared:   none
 * Work:     O(1) an element   Steps: 1   Barriers: 0
 * Source:   Hwu, lecture 4.7 */
template <class Op> __global__ void naive_add(typename Op::T *d, const typename Op::T *o, size_t n) {
  const size_t i = (size_t(blockIdx.x) + 1) * 1024 + threadIdx.x;
  if (i < n) d[i] = Op::apply(o[blockIdx.x + 1], d[i]);
}
template <class Op> cudaError_t naive(const typename Op::T *in, typename Op::T *out, size_t n, bool incl) {
  const unsigned tiles = unsigned((n + 1023) / 1024);
  typename Op::T *sums = nullptr;
  if (tiles > 1) SL_CUDA(cudaMalloc((void **)&sums, tiles * sizeof(*sums)));
  naive_tiles<Op><<<tiles, 1024>>>(in, out, sums, n, incl);
  cudaError_t e = cudaGetLastError();
  if (tiles > 1) {
    if (!e) e = naive<Op>(sums, sums, tiles, false);
    if (!e) {
      naive_add<Op><<<tiles - 1, 1024>>>(out, sums, n);
      e = cudaGetLastError();
    }
    cudaFree(sums);
  }
  return e;
}
template <class Op> cudaError_t go(const lab05_args *a) {
  typedef typename Op::T T;
  if (a->tile == SL_TILE_NAIVE)
    return naive<Op>((const T *)a->in, (T *)a->out, a->n, a->kind == SL_INCLUSIVE);
  return efficient<Op>((const T *)a->in, (T *)a->out, a->n, a->kind == SL_INCLUSIVE);
}
extern "C" cudaError_t lab05_scan(const lab05_args *a) {
  if (a->n == 0) return cudaSuccess;
  switch (a->op) {
  case SL_ADD: return a->type == SL_F32 ? go<Add<float>>(a) : go<Add<uint32_t>>(a);
  case SL_MAX:
    return a->type == SL_F32   ? go<Max<float>>(a)
           : a->type == SL_I32 ? go<Max<int32_t>>(a)
                               : go<Max<uint32_t>>(a);
  case SL_COMPOSE: return go<Compose>(a);
  default: return cudaErrorInvalidValue;
  }
}
