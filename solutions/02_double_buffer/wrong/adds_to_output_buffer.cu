// expect: 02.scan.n0, 02.scan.n2, 02.scan.n3, 02.scan.n5, 02.scan.n31, 02.scan.n32, 02.scan.n33, 02.scan.n63, 02.scan.n64, 02.scan.n65, 02.scan.n127, 02.scan.n128, 02.scan.n129, 02.scan.n255, 02.scan.n256, 02.scan.n257, 02.scan.n511, 02.scan.n512, 02.scan.n513, 02.scan.n1000, 02.scan.n1023, 02.scan.n1024, 02.scan.calls, 02.reals.*, 02.work.*, 02.sync.*, 02.clean.* fail  -- the printed step adds to what the output buffer held
#include "scanlab/lab.h"

/* Kernel:   double_buffer_kernel — exclusive sum of d_in[0..n) by one block, from one shared buffer to another
 * Launch:   grid = 1, block = n rounded up to whole warps (32..1024)
 * Shared:   dynamic, 2 * n * 4 bytes (n=1024: 8192); buffer b is temp[b*n .. b*n + n)
 * Work:     n*L - (2^L - 1) adds, L = ceil(log2(n)); n=1024: 9217   Steps: L   Barriers: L + 1 (n=1024: 11)
 * Valid in: d_out[0..n), element t by thread t     In-place: allowed (every load precedes the first barrier)
 * Source:   Harris 2007, "Parallel Prefix Sum (Scan) with CUDA", Listing 1 (its addition is wrong, see README.md) */
__global__ void double_buffer_kernel(const float *d_in, float *d_out, int n) {
  extern __shared__ float temp[]; // 2 * n elements
  int pout = 0;                   // the buffer that a step writes; the other one is read

  const int t = threadIdx.x;
  if (t < n) temp[pout * n + t] = t > 0 ? d_in[t - 1] : 0.0f;
  __syncthreads();

  for (int offset = 1; offset < n; offset *= 2) {
    pout = 1 - pout;
    const int pin = 1 - pout;
    if (t < n) {
      float x = temp[pin * n + t];
      if (t >= offset) x = temp[pin * n + t - offset] + temp[pout * n + t];
      temp[pout * n + t] = x;
    }
    __syncthreads();
  }

  if (t < n) d_out[t] = temp[pout * n + t];
}

extern "C" cudaError_t lab02_double_buffer_scan(const float *d_in, float *d_out, int n) {
  if (n == 0) return cudaSuccess;
  const int threads = (n + 31) / 32 * 32;
  double_buffer_kernel<<<1, threads, 2 * n * sizeof(float)>>>(d_in, d_out, n);
  return cudaGetLastError();
}
