// expect: 01.scan.*, 01.reals.*, 01.work.*, 01.sync.*, 01.clean.* fail  -- the kernel writes nothing
#include "scanlab/lab.h"

static const int WARP = 32;

/* Kernel:   naive_scan_kernel — inclusive sum of d_in[0..n) by one block, in place in shared memory
 * Launch:   grid = 1, block = n rounded up to whole warps (32..1024)
 * Shared:   dynamic, n * 4 bytes (n=1024: 4096)
 * Work:     n*L - (2^L - 1) adds, L = ceil(log2(n)); n=1024: 9217   Steps: L   Barriers: 2*L + 1 (n=1024: 21)
 * Valid in: d_out[0..n), element t by thread t     In-place: allowed (d_out may be d_in)
 * Source:   Hillis and Steele 1986; Harris 2007, "Parallel Prefix Sum (Scan) with CUDA", Algorithm 1 (its guard is
 *           wrong, see README.md) */
__global__ void naive_scan_kernel(const float *d_in, float *d_out, int n) {
  extern __shared__ float s[]; // n elements

  const int t = threadIdx.x;
  if (t < n) s[t] = d_in[t];
  __syncthreads();

  for (int offset = 1; offset < n; offset *= 2) {
    const bool active = t >= offset && t < n;
    const float left = active ? s[t - offset] : 0.0f;
    __syncthreads();
    if (active) s[t] += left;
    __syncthreads();
  }

}

extern "C" cudaError_t lab01_naive_scan(const float *d_in, float *d_out, int n) {
  if (n == 0) return cudaSuccess;
  const int threads = (n + WARP - 1) / WARP * WARP;
  naive_scan_kernel<<<1, threads, n * sizeof(float)>>>(d_in, d_out, n);
  return cudaGetLastError();
}
