// mbarrier instructions as cuda::ptx spells them, from compute_80; bulk copies that report to one, from
// compute_90: phases and parities, arrivals, pending bytes, a producer and a consumer with two buffers.
#include <cuda/ptx>
#include "check.h"

namespace ptx = cuda::ptx;
typedef uint64_t u64;

static __device__ unsigned addr(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
static __device__ void mbar_init(u64 *b, int n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(addr(b)), "r"(n) : "memory"); }
static __device__ u64 arrive(u64 *b) {
  u64 s;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(s) : "r"(addr(b)) : "memory");
  return s;
}
static __device__ bool over(u64 *b, u64 state) {
  int p;
  asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}" : "=r"(p) : "r"(addr(b)), "l"(state) : "memory");
  return p;
}
static __device__ bool parity_over(u64 *b, unsigned parity) {
  int p;
  asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}" : "=r"(p) : "r"(addr(b)), "r"(parity) : "memory");
  return p;
}

__global__ void one_thread(unsigned *out) {
  __shared__ u64 b;
  unsigned pending;
  u64 s, s2;
  int k = 0;
  mbar_init(&b, 3);
  out[k++] = parity_over(&b, 0), out[k++] = parity_over(&b, 1);
  s = arrive(&b);
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(s));
  out[k++] = pending;
  asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 1;" : "=l"(s2) : "r"(addr(&b)) : "memory");
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(s2));
  out[k++] = pending, out[k++] = over(&b, s);
  s2 = arrive(&b);
  out[k++] = over(&b, s) + 2 * over(&b, s2), out[k++] = parity_over(&b, 0) + 2 * parity_over(&b, 1);
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(s) : "r"(addr(&b)) : "memory");  // from the next phase on 2
  arrive(&b), arrive(&b);
  out[k++] = over(&b, s);
  s = arrive(&b);
  out[k++] = over(&b, s);
  s2 = arrive(&b);
  out[k++] = over(&b, s);
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(addr(&b)) : "memory");
  mbar_init(&b, 1);
  out[k++] = parity_over(&b, 0);
}

// Warp 0 fills buffers, warp 1 sums them; each waits for the other by parity.
__global__ void two_buffers(const int *in, int *out, int rounds) {
  __shared__ int buffer[2][32];
  __shared__ u64 full[2], empty[2];
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 2) mbar_init(&full[threadIdx.x], 32), mbar_init(&empty[threadIdx.x], 32);
  __syncthreads();
  for (int r = 0; r < rounds; r++) {
    int k = r & 1, parity = r / 2 & 1;
    if (threadIdx.x < 32) {
      while (!parity_over(&empty[k], parity ^ 1)) {}
      buffer[k][lane] = in[32 * r + lane];
      arrive(&full[k]);
    } else {
      while (!parity_over(&full[k], parity)) {}
      out[32 * r + lane] = buffer[k][lane] + buffer[k][31 - lane];
      arrive(&empty[k]);
    }
  }
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__global__ void bulk(const int *in, int *out, int rounds) {
  __shared__ alignas(16) int s[256];
  __shared__ u64 b;
  int t = threadIdx.x;
  if (t == 0) mbar_init(&b, 1);
  __syncthreads();
  for (int r = 0; r < rounds; r++) {
    if (t == 0) {
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, in + 256 * r, sizeof s, &b);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &b, sizeof s);
    }
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, &b, r & 1)) {}
    int x = s[255 - t];
    __syncthreads();
    s[t] = x + 1;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + 256 * r, s, sizeof s);
      ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out + 256 * rounds, s, sizeof s);
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
    __syncthreads();
  }
}
#else
__global__ void bulk(const int *, int *, int) {}
#endif

__global__ void async(const int *in, int *out) {
  __shared__ int s[64];
  __shared__ u64 b;
  int t = threadIdx.x;
  if (t == 0) mbar_init(&b, 64);
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(addr(&s[t])), "l"(in + t) : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(addr(&b)) : "memory");
  while (!parity_over(&b, 0)) {}
  out[t] = s[t ^ 3];
}

int main() {
  const int rounds = 6;
  int major = 0;
  CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  Dev<unsigned> state(12);
  one_thread<<<1, 1>>>(state);
  check_equal("phases", state.get(), std::vector<unsigned>{0, 1, 3, 2, 0, 3, 1, 1, 0, 1, 0, 0xa5a5a5a5});
  std::vector<int> in(256 * rounds), want(32 * rounds), all(256 * (rounds + 1)), part(64);
  for (size_t i = 0; i < in.size(); i++) in[i] = (int)hash_u32((unsigned)i) >> 4;
  for (int i = 0; i < 32 * rounds; i++) want[i] = in[i] + in[i - i % 32 + 31 - i % 32];
  Dev<int> din(in), out(32 * rounds), out2(std::vector<int>(256 * (rounds + 1))), out3(64);
  two_buffers<<<1, 64>>>(din, out, rounds);
  check_equal("two buffers", out.get(), want);
  async<<<1, 64>>>(din, out3);
  for (int t = 0; t < 64; t++) part[t] = in[t ^ 3];
  check_equal("cp.async.mbarrier.arrive", out3.get(), part);
  if (major < 9) return check_done("mbarrier");
  for (int i = 0; i < 256 * rounds; i++) all[i] = in[i - i % 256 + 255 - i % 256] + 1, all[256 * rounds + i % 256] += all[i];
  bulk<<<1, 256>>>(din, out2, rounds);
  check_equal("bulk copies", out2.get(), all);
  return check_done("mbarrier");
}
