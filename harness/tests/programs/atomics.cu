// Atomics of every type, operation and scope, on global and on shared memory and through generic pointers:
// old values where the result does not depend on the order, compare-and-swap loops of 16, 32 and 64 bits,
// f64, half, half2 and bfloat16 additions.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "check.h"

typedef unsigned long long u64;
const int N = 320;  // threads

// One accumulator an operation, in the order of the enumerators; T is (unsigned) int or long long.
enum { ADD, MIN, MAX, AND, OR, XOR, EXCH, CAS, SLOTS };

template <typename T> __device__ void each(T *a, T v) {
  atomicAdd(&a[ADD], v);
  atomicMin(&a[MIN], v);
  atomicMax(&a[MAX], v);
  atomicAnd(&a[AND], (T)~((T)1 << (v & 15)));
  atomicOr(&a[OR], (T)1 << (v & 15));
  atomicXor(&a[XOR], v);
  atomicExch(&a[EXCH], (T)42);
  for (T old = *(volatile T *)&a[CAS], seen;; old = seen)
    if ((seen = atomicCAS(&a[CAS], old, old + v + 1)) == old) break;
}
template <> __device__ void each<long long>(long long *a, long long v) {  // no overloads of atomicAdd, atomicExch, atomicCAS
  atomicAdd((u64 *)&a[ADD], (u64)v);
  atomicMin(&a[MIN], v);
  atomicMax(&a[MAX], v);
  atomicAnd(&a[AND], ~(1ll << (v & 15)));
  atomicOr(&a[OR], 1ll << (v & 15));
  atomicXor(&a[XOR], v);
  atomicExch((u64 *)&a[EXCH], 42ull);
  for (u64 old = *(volatile u64 *)&a[CAS], seen;; old = seen)
    if ((seen = atomicCAS((u64 *)&a[CAS], old, old + (u64)v + 1)) == old) break;
}

template <typename T> __host__ __device__ T value(int t) { return (T)((T)(t - 100) * (sizeof(T) == 8 ? (T)1 << 33 : (T)77777) + t % 7); }

template <typename T> __global__ void all_ops(T *global, T *from_shared, T start, bool use_shared) {
  __shared__ T s[SLOTS];
  if (threadIdx.x < SLOTS) s[threadIdx.x] = start;
  __syncthreads();
  T v = value<T>(threadIdx.x);
  each<T>(global, v);                    // global
  each<T>(s, v);                         // shared
  each<T>(use_shared ? s : global, v);   // generic
  __syncthreads();
  if (threadIdx.x < SLOTS) from_shared[threadIdx.x] = s[threadIdx.x];
}

template <typename T> static void host_ops(std::vector<T> &a, int rounds) {
  for (int r = 0; r < rounds; r++)
    for (int t = 0; t < N; t++) {
      T v = value<T>(t);
      a[ADD] = (T)((u64)a[ADD] + (u64)v), a[MIN] = std::min(a[MIN], v), a[MAX] = std::max(a[MAX], v);
      a[AND] &= (T) ~((T)1 << (v & 15)), a[OR] |= (T)1 << (v & 15), a[XOR] ^= v, a[EXCH] = 42, a[CAS] = (T)((u64)a[CAS] + (u64)v + 1);
    }
}

template <typename T> static void test_type(const char *name) {
  T start = (T)0x123456789abcll;
  std::vector<T> one(SLOTS, start), two(SLOTS, start);
  host_ops(one, 1), host_ops(two, 2);
  for (bool use_shared : {false, true}) {
    Dev<T> g(std::vector<T>(SLOTS, start)), s(SLOTS);
    all_ops<T><<<1, N>>>(g, s, start, use_shared);
    check_equal(name, g.get(), use_shared ? one : two);
    check_equal(name, s.get(), use_shared ? two : one);
  }
}

__global__ void scopes(int *i, u64 *l, float *f, double *d) {
  atomicAdd_block(&i[0], 1), atomicAdd_system(&i[1], 1), atomicMax_block(&i[2], (int)threadIdx.x), atomicCAS_system(&i[3], 0, 5);
  atomicSub(&i[4], 1), atomicExch_block(&i[5], 6), atomicOr_system(&i[6], 1 << (threadIdx.x & 31)), atomicMin_system(&i[7], -(int)threadIdx.x);
  atomicAdd_block(&l[0], 1ull << 40), atomicCAS_block(&l[1], 0ull, 9ull), atomicXor_system(&l[2], (u64)threadIdx.x << 50);
  atomicAdd_block(&f[0], 0.5f), atomicAdd_system(&f[1], 0.25f), atomicExch(&f[2], 2.5f);
  atomicAdd(&d[0], 1.0 / 1024), atomicAdd_block(&d[1], 3.0), atomicAdd_system(&d[2], -0.5);
}

// The values that come back are a permutation of the tickets.
__global__ void old_values(int *counter, int *seen, unsigned *wrap, int *turns) {
  seen[atomicAdd(counter, 1)] += 1;
  atomicAdd(&turns[atomicInc(wrap, 6)], 1);
  atomicAdd(&turns[8 + atomicDec(wrap + 1, 6)], 1);
}

__global__ void small(__half *h, __half2 *h2, __nv_bfloat16 *b, unsigned short *s, float *least) {
  __shared__ __half sh;
  if (threadIdx.x == 0) sh = __float2half(0);
  __syncthreads();
  atomicAdd(h, __float2half(0.5f));
  atomicAdd(&sh, __float2half(0.25f));
  atomicAdd(h2, __floats2half2_rn(1.0f, -0.5f));
  atomicAdd(b, __float2bfloat16(1.0f));
  unsigned short old = *(volatile unsigned short *)s, seen;
  while ((seen = atomicCAS(s + 1, old, (unsigned short)(old + 3))) != old) old = seen;
  int *bits = (int *)least, was = *(volatile int *)bits;
  float mine = 500.0f - threadIdx.x;
  while (mine < __int_as_float(was)) {
    int now = atomicCAS(bits, was, __float_as_int(mine));
    if (now == was) break;
    was = now;
  }
  __syncthreads();
  if (threadIdx.x == 0) h[1] = sh;
}

static void test_scopes() {
  Dev<int> i(std::vector<int>(8, 0));
  Dev<u64> l(std::vector<u64>(3, 0));
  Dev<float> f(std::vector<float>(3, 0));
  Dev<double> d(std::vector<double>(3, 0));
  scopes<<<1, N>>>(i, l, f, d);
  check_equal("scopes, int", i.get(), std::vector<int>{N, N, N - 1, 5, -N, 6, -1, -(N - 1)});
  u64 x = 0;
  for (u64 t = 0; t < N; t++) x ^= t << 50;
  check_equal("scopes, 64 bits", l.get(), std::vector<u64>{(u64)N << 40, 9, x});
  check_equal("scopes, float", f.get(), std::vector<float>{N / 2.0f, N / 4.0f, 2.5f});
  check_equal("scopes, double", d.get(), std::vector<double>{N / 1024.0, 3.0 * N, -N / 2.0});
}

static void test_old_values() {
  Dev<int> counter(std::vector<int>{0}), seen(std::vector<int>(7 * 64, 0)), turns(std::vector<int>(16, 0));
  Dev<unsigned> wrap(std::vector<unsigned>{0, 0});
  old_values<<<7, 64>>>(counter, seen, wrap, turns);
  check_equal("tickets", seen.get(), std::vector<int>(7 * 64, 1));
  std::vector<int> want(16, 64);
  want[7] = want[15] = 0;
  check_equal("wrapping counters", turns.get(), want);
}

static void test_small() {
  Dev<unsigned short> h(std::vector<unsigned short>{0, 0}), s(std::vector<unsigned short>{0, 7, 0xffff, 0}), b(std::vector<unsigned short>{0, 0x1234});
  Dev<unsigned> h2(std::vector<unsigned>{0});
  Dev<float> least(std::vector<float>{1e9f});
  small<<<1, 64>>>((__half *)h.p, (__half2 *)h2.p, (__nv_bfloat16 *)b.p, s, least);
  std::vector<unsigned short> gh = h.get(), gb = b.get();
  __half2_raw pair;
  unsigned w = h2.get()[0];
  memcpy(&pair, &w, 4);
  CHECK(gh[0] == 0x5000 && gh[1] == 0x4c00, "half sums %04x %04x", gh[0], gh[1]);  // 32 and 16
  CHECK(pair.x == 0x5400 && pair.y == 0xd000, "half2 sums %04x %04x", pair.x, pair.y);  // 64 and -32
  CHECK(gb[0] == 0x4280 && gb[1] == 0x1234, "bfloat16 sum %04x, its neighbour %04x", gb[0], gb[1]);  // 64
  check_equal("16-bit compare and swap", s.get(), std::vector<unsigned short>{0, 7 + 3 * 64, 0xffff, 0});
  CHECK(least.get()[0] == 437.0f, "least %g", least.get()[0]);
}

int main() {
  test_type<int>("int");
  test_type<unsigned>("unsigned");
  test_type<long long>("long long");
  test_type<u64>("unsigned long long");
  test_scopes();
  test_old_values();
  test_small();
  return check_done("atomics");
}
