// cp.async as __pipeline_memcpy_async emits it at compute_80: tiles of 4, 8 and 16 bytes a thread are copied
// to shared memory two stages ahead, the last one in part with zeros behind its end. Copies of an array's
// tail read up to its end, or not at all, whatever the address.
#include <cuda_pipeline.h>
#include "check.h"

template <typename T> __global__ void stream(const T *in, T *out, int tiles, int last_bytes) {
  __shared__ T stage[2][128];
  int t = threadIdx.x, me = blockIdx.x * tiles;
  auto fetch = [&](int k) {
    size_t zeros = k == tiles - 1 ? sizeof(T) - last_bytes : 0;
    __pipeline_memcpy_async(&stage[k & 1][t], &in[(me + k) * 128 + t], sizeof(T), zeros);
    __pipeline_commit();
  };
  fetch(0);
  for (int k = 0; k < tiles; k++) {
    if (k + 1 < tiles) fetch(k + 1);
    __pipeline_wait_prior(k + 1 < tiles ? 1 : 0);
    __syncthreads();
    out[(me + k) * 128 + t] = stage[k & 1][127 - t];
    __syncthreads();
  }
}

template <typename T> static void test(const char *name, int last_bytes) {
  enum { TILES = 5, BLOCKS = 3, N = TILES * BLOCKS * 128 };
  std::vector<unsigned char> in(N * sizeof(T)), got(in.size()), want(in.size());
  for (size_t k = 0; k < in.size(); k++) in[k] = (unsigned char)(k * 31 + k / 251);
  for (size_t i = 0; i < N; i++)
    for (size_t b = 0; b < sizeof(T); b++) {
      size_t from = i / 128 * 128 + 127 - i % 128;
      bool zero = i / 128 % TILES == TILES - 1 && b >= (size_t)last_bytes;
      want[i * sizeof(T) + b] = zero ? 0 : in[from * sizeof(T) + b];
    }
  T *a, *b;
  cudaMalloc(&a, in.size());
  cudaMalloc(&b, in.size());
  cudaMemcpy(a, in.data(), in.size(), cudaMemcpyHostToDevice);
  stream<T><<<BLOCKS, 128>>>(a, b, TILES, last_bytes);
  cudaMemcpy(got.data(), b, got.size(), cudaMemcpyDeviceToHost);
  check_equal(name, got, want);
  cudaFree(a), cudaFree(b);
}

// 16 bytes a thread; what lies behind n is zeros, and its address is nobody's.
enum { TAIL = 512 };
template <typename F> static __device__ void copy_tail(char *out, F begin) {
  __shared__ alignas(16) char s[TAIL];
  int at = threadIdx.x * 16;
  begin(s + at, at);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int i = 0; i < 16; i++) out[at + i] = s[at + i];
}
__global__ void fewer_bytes(const char *in, char *out, int n) {
  copy_tail(out, [=](char *to, int at) {
    int left = n < at ? 0 : n - at < 16 ? n - at : 16;
    __pipeline_memcpy_async(to, in + at, 16, 16 - left);
  });
}
__global__ void ignored(const char *in, char *out, int n) {
  copy_tail(out, [=](char *to, int at) {
    asm volatile("{ .reg .pred p; setp.ge.s32 p, %2, %3; cp.async.cg.shared.global [%0], [%1], 16, p; }" ::"r"((unsigned)__cvta_generic_to_shared(to)),
                 "l"(in + at), "r"(at), "r"(n) : "memory");
  });
}
__global__ void with_policy(const int *in, int *out, int *sum) {
  unsigned long long policy;
  int x;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(x) : "l"(in + threadIdx.x), "l"(policy) : "memory");
  asm volatile("st.global.L2::cache_hint.u32 [%0], %1, %2;" ::"l"(out + threadIdx.x), "r"(x), "l"(policy) : "memory");
  asm volatile("red.global.L2::cache_hint.add.u32 [%0], %1, %2;" ::"l"(sum), "r"(x), "l"(policy) : "memory");
  asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"((size_t)in & ~127) : "memory");
}

static void tails() {
  for (int n : {512, 500, 492, 481, 480, 16, 3}) {
    std::vector<char> h(n), want(TAIL);
    for (int i = 0; i < n; i++) want[i] = h[i] = (char)(hash_u32(i) | 1);
    Dev<char> in(h), out(TAIL);
    fewer_bytes<<<1, 32>>>(in, out, n);
    check_equal("fewer bytes", out.get(), want);
    if (n % 16 == 0) {
      ignored<<<1, 32>>>(in, out, n);
      check_equal("ignored source", out.get(), want);
    }
  }
  Dev<int> in(std::vector<int>(32, 3)), out(32), sum(std::vector<int>(1, 0));
  with_policy<<<1, 32>>>(in, out, sum);
  check_equal("policy of the cache", out.get(), std::vector<int>(32, 3));
  CHECK(sum.get()[0] == 96, "sum with a policy %d", sum.get()[0]);
}

int main() {
  tails();
  test<int>("4 bytes", 2);
  test<int2>("8 bytes", 8);
  test<int4>("16 bytes", 5);
  return check_done("async_copy");
}
