// expect: 03.scan.n0, 03.scan.n1, 03.scan.n3, 03.scan.n31, 03.scan.n33, 03.scan.n63, 03.scan.n65, 03.scan.n127, 03.scan.n129, 03.scan.n257, 03.scan.n511, 03.scan.n513, 03.scan.n1000, 03.scan.n1023, 03.scan.n1025, 03.scan.n1500, 03.scan.n2047, 03.scan.calls, 03.reals.n33, 03.reals.n1000, 03.reals.spike_n1111, 03.work.adds_n1000, 03.clean.* fail  -- takes n itself for the size of the tree
#include "scanlab/lab.h"

/* Kernel:   blelloch_kernel — exclusive sum of d_in[0..n) by one block, in place on a balanced tree in shared memory
 * Launch:   grid = 1, block = m/2, where m is the smallest power of two >= n (at least 2, at most 2048)
 * Shared:   dynamic, m * 4 bytes (m=1024: 4096)
 * Work:     2*(m-1) adds, m-1 swaps (m=1024: 2046)   Steps: 2*log2(m)   Barriers: 2*log2(m) + 1 (m=1024: 21)
 * Valid in: d_out[0..n), elements 2t and 2t+1 by thread t     In-place: allowed (every load precedes the first barrier)
 * Source:   Blelloch 1990, CMU-CS-90-190; Harris 2007, Algorithms 3 and 4 (Algorithm 4 starts one level too high,
 *           see README.md) */
__global__ void blelloch_kernel(const float *d_in, float *d_out, int n, int m) {
  extern __shared__ float temp[]; // m elements
  int offset = 1;                 // distance between the two elements of a pair at the current level

  const int t = threadIdx.x;
  temp[2 * t] = 2 * t < n ? d_in[2 * t] : 0.0f;
  temp[2 * t + 1] = 2 * t + 1 < n ? d_in[2 * t + 1] : 0.0f;

  for (int pairs = m / 2; pairs > 0; pairs /= 2) { // up-sweep: leaves to root
    __syncthreads();
    if (t < pairs) {
      const int left = offset * (2 * t + 1) - 1;
      const int right = left + offset;
      temp[right] = temp[left] + temp[right];
    }
    offset *= 2;
  }

  if (t == 0) temp[m - 1] = 0.0f;

  for (int pairs = 1; pairs < m; pairs *= 2) { // down-sweep: root to leaves
    offset /= 2;
    __syncthreads();
    if (t < pairs) {
      const int left = offset * (2 * t + 1) - 1;
      const int right = left + offset;
      const float sum = temp[left];
      temp[left] = temp[right];
      temp[right] = temp[right] + sum;
    }
  }

  __syncthreads();
  if (2 * t < n) d_out[2 * t] = temp[2 * t];
  if (2 * t + 1 < n) d_out[2 * t + 1] = temp[2 * t + 1];
}

extern "C" cudaError_t lab03_blelloch_scan(const float *d_in, float *d_out, int n) {
  if (n == 0) return cudaSuccess;
  const int m = n;
  blelloch_kernel<<<1, m / 2, m * sizeof(float)>>>(d_in, d_out, n, m);
  return cudaGetLastError();
}
