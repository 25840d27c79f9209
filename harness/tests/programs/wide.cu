// Values of 128 bits: __int128 arithmetic, and from compute capability 9.0 loads, stores, exchange and
// compare-and-swap of 16 bytes as one access, in global and shared memory, of all orders, by intrinsics and
// by the compiler's own atomics.
#include "check.h"

struct alignas(16) Pair {
  unsigned long long low, high;
};
typedef unsigned __int128 u128;

__global__ void arithmetic(const u128 *in, u128 *out) {
  int t = threadIdx.x;
  u128 a = in[2 * t], b = in[2 * t + 1];
  u128 *o = out + 10 * t;
  o[0] = a + b, o[1] = a - b, o[2] = a * b, o[3] = a / b, o[4] = a % b;
  o[5] = a << (t * 4), o[6] = a >> (t * 4), o[7] = (u128)((__int128)a >> (t * 4)), o[8] = (u128)((__int128)a / (__int128)b);
  o[9] = (u128)(a < b) | (u128)((__int128)a < (__int128)b) << 1 | (u128)__popcll((unsigned long long)(a >> 64)) << 64;
}

static void test_arithmetic() {
  std::vector<u128> in(64), want(320);
  for (int k = 0; k < 64; k++) {
    auto word = [k](int j) { return (u128)hash_u32(4 * k + j); };
    in[k] = word(0) << 96 | word(1) << 64 | word(2) << 32 | word(3);
    if (k % 5 == 0) in[k] >>= 64 + k % 50;
    if (in[k] == 0) in[k] = 1;
  }
  for (int t = 0; t < 32; t++) {
    u128 a = in[2 * t], b = in[2 * t + 1], *o = &want[10 * t];
    o[0] = a + b, o[1] = a - b, o[2] = a * b, o[3] = a / b, o[4] = a % b;
    o[5] = a << (t * 4), o[6] = a >> (t * 4), o[7] = (u128)((__int128)a >> (t * 4)), o[8] = (u128)((__int128)a / (__int128)b);
    o[9] = (u128)(a < b) | (u128)((__int128)a < (__int128)b) << 1 | (u128)__builtin_popcountll((unsigned long long)(a >> 64)) << 64;
  }
  Dev<u128> din(in), out(320);
  arithmetic<<<1, 32>>>(din, out);
  check_equal("__int128", out.get(), want);
}

// Every thread adds (t, 1) by compare-and-swap to a cell of global and one of shared memory.
__global__ void add_pairs(Pair *cell, Pair *out) {
#if __CUDA_ARCH__ >= 900
  __shared__ Pair shared;
  int t = threadIdx.x;
  if (t == 0) shared = Pair{5, 0};
  __syncthreads();
  for (Pair *p : {cell, &shared}) {
    Pair seen = atomicExch(cell + 1, Pair{0, 0}), old;  // anything but what it holds: the loop corrects it
    do {
      old = seen;
      seen = atomicCAS(p, old, Pair{old.low + t, old.high + 1});
    } while (seen.low != old.low || seen.high != old.high);
  }
  __syncthreads();
  if (t == 0 && blockIdx.x == 0) out[0] = shared;
#endif
}

__global__ void orders(Pair *p, Pair *out) {
#if __CUDA_ARCH__ >= 900
  Pair a, b{7, 8}, c{9, 10};
  __nv_atomic_load(p, &a, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_store(p, &b, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_exchange(p, &c, out, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
  bool first = __nv_atomic_compare_exchange(p, &b, &a, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  bool second = __nv_atomic_compare_exchange(p, &b, &a, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  out[1] = a, out[2] = b, out[3] = Pair{first, second};
#endif
}

static void test_atomics() {
  cudaFuncAttributes attr;
  CUDA(cudaFuncGetAttributes(&attr, add_pairs));
  if (attr.ptxVersion < 90) return;
  const int n = 96, blocks = 3;
  Dev<Pair> cell(std::vector<Pair>{{1, 2}, {3, 4}}), out(4);
  add_pairs<<<blocks, n>>>(cell, out);
  unsigned long long sum = n * (n - 1) / 2;
  std::vector<Pair> got = cell.get(), shared = out.get();
  CHECK(got[0].low == 1 + blocks * sum && got[0].high == 2 + blocks * n, "global: %llu %llu", got[0].low, got[0].high);
  CHECK(shared[0].low == 5 + sum && shared[0].high == n, "shared: %llu %llu", shared[0].low, shared[0].high);
  orders<<<1, 1>>>(cell, out);
  got = out.get(), shared = cell.get();
  CHECK(got[0].low == 7 && got[0].high == 8, "exchange: %llu %llu", got[0].low, got[0].high);
  CHECK(got[1].low == 1 + blocks * sum && got[2].low == 9 && got[2].high == 10, "load: %llu", got[1].low);
  CHECK(got[3].low == 0 && got[3].high == 1, "compare and swap: %llu %llu", got[3].low, got[3].high);
  CHECK(shared[0].low == got[1].low && shared[0].high == 2 + blocks * n, "at last: %llu %llu", shared[0].low, shared[0].high);
}

int main() {
  test_arithmetic();
  test_atomics();
  return check_done("wide");
}
