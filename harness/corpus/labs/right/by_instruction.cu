// Lab 01: steps written by instructions and objects that few students use.
//
// right 01 async_pipeline: KERNEL_PIPE
// right 01 inline_ptx: KERNEL_PTX
#ifdef KERNEL_PIPE
#include "scanlab/lab.h"
#include <cuda/pipeline>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
/* Kernel:   scan: inclusive (or exclusive) sum of in[0..n) by one block, loaded by asynchronous copies
 * Launch:   grid = 1, block = n rounded up to whole warps   Shared: dynamic, n * 4 bytes
 * Work:     n*L - (2^L - 1) adds, L = ceil(log2(n))   Steps: L   Barriers: 2*L + 1
 * Source:   Hillis and Steele 1986 */
template <bool Inclusive> __global__ void scan(const float *in, float *out, int n) {
  extern __shared__ float s[];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline();
  const int t = block.thread_rank();
  pipe.producer_acquire();
  if (t < n) cuda::memcpy_async(s + t, in + t, sizeof(float), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  pipe.consumer_release();
  block.sync();
  float x = t < n ? s[t] : 0;
  for (int d = 1; d < n; d <<= 1) {
    const float left = t >= d && t < n ? s[t - d] : 0;
    block.sync();
    if (t >= d && t < n) s[t] = x = x + left;
    block.sync();
  }
  if (t < n) {
    if constexpr (Inclusive) out[t] = x;
    else out[t] = t ? s[t - 1] : 0;
  }
}
extern "C" cudaError_t lab01_naive_scan(const float *i, float *o, int n) {
  if (!n) return cudaSuccess;
  scan<true><<<1, (n + 31) & ~31, n * 4>>>(i, o, n);
  return cudaGetLastError();
}
#endif

#ifdef KERNEL_PTX
#include "scanlab/lab.h"
__device__ __forceinline__ float up_add(float x, int d) { // add the lane d lower, by its predicate
  asm volatile(
      "{ .reg .f32 r; .reg .pred p; shfl.sync.up.b32 r|p, %0, %1, 0, 0xffffffff; @p add.f32 %0, r, %0; }"
      : "+f"(x)
      : "r"(d));
  return x;
}
/* Kernel:   scan: inclusive sum of in[0..n) by one block, warp by warp, then the sums of the warps
 * Launch:   grid = 1, block = n rounded up to whole warps   Shared: static, 128 bytes
 * Work:     at most 5 n + 160 adds   Steps: 10   Barriers: 2
 * Source:   Hillis and Steele 1986, with shuffles */
__global__ void scan(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float w[32];
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  const int t = threadIdx.x, warp = t >> 5;
  float x = t < n ? __ldg(in + t) : 0.f;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) x = up_add(x, d);
  if (lane == 31) w[warp] = x;
  asm volatile("bar.sync 0;" ::: "memory");
  if (warp == 0) {
    float y = lane < blockDim.x / 32 ? w[lane] : 0.f;
    for (int d = 1; d < 32; d *= 2) y = up_add(y, d);
    w[lane] = y;
  }
  asm volatile("bar.sync 0;" ::: "memory");
  if (t < n) out[t] = x + (warp ? w[warp - 1] : 0.f);
}
extern "C" cudaError_t lab01_naive_scan(const float *i, float *o, int n) {
  if (n <= 0) return cudaSuccess;
  scan<<<dim3(1), dim3((n + 31) / 32 * 32)>>>(i, o, n);
  return cudaPeekAtLastError();
}
#endif
