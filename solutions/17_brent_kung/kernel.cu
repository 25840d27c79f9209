// Lab 17 · Brent-Kung scan. EDIT ONLY between TODO(...) and END TODO(...).
// Handout: README.md   Check: ./scanlab check 17   One input: ./scanlab run 17 --n 1000
#include "scanlab/lab.h"

/* Kernel:   brent_kung_kernel — inclusive sum of d_in[0..n) by one block, in place on a tree in shared memory
 * Launch:   grid = 1, block = m/2, where m is the smallest power of two >= n (at least 2, at most 2048)
 * Shared:   dynamic, m * 4 bytes
 * Work:     2*m - 2 - log2(m) adds (m=1024: 2036)   Steps: 2*log2(m) - 1   Barriers: 2*log2(m) (m=1024: 20)
 * Source:   Brent and Kung 1982, for adders; Kirk and Hwu's book, for GPUs */
__global__ void brent_kung_kernel(const float *d_in, float *d_out, int n, int m) {
  extern __shared__ float temp[]; // m elements

  // TODO(lab17.1, ~3 lines): thread t loads elements 2t and 2t+1 into temp, and 0 for those past the end of the input
  const int t = threadIdx.x;
  temp[2 * t] = 2 * t < n ? d_in[2 * t] : 0;
  temp[2 * t + 1] = 2 * t + 1 < n ? d_in[2 * t + 1] : 0;
  // END TODO(lab17.1)

  for (int offset = 1; offset < m; offset *= 2) { // up: pairs of runs of `offset` elements become runs of twice as many
    // TODO(lab17.2, ~3 lines): barrier; the last element of a pair gets the last one of its left run added, as in lab 03
    int right = offset * (2 * t + 2) - 1;
    __syncthreads();
    if (right < m) temp[right] += temp[right - offset];
    // END TODO(lab17.2)
  }

  for (int offset = m / 4; offset > 0; offset /= 2) { // back: elements that stand half a run behind a finished one
    // TODO(lab17.3, ~3 lines): barrier; add the finished element `offset` before, for each odd multiple of offset but the first
    int right = offset * (2 * t + 3) - 1;
    __syncthreads();
    if (right < m) temp[right] += temp[right - offset];
    // END TODO(lab17.3)
  }

  // TODO(lab17.4, ~3 lines): barrier; thread t writes elements 2t and 2t+1 to d_out, none past the end
  __syncthreads();
  if (2 * t < n) d_out[2 * t] = temp[2 * t];
  if (2 * t + 1 < n) d_out[2 * t + 1] = temp[2 * t + 1];
  // END TODO(lab17.4)
}

extern "C" cudaError_t lab17_brent_kung(const float *d_in, float *d_out, int n) {
  if (n == 0) return cudaSuccess;
  // TODO(lab17.5, ~3 lines): m = smallest power of two >= n, at least 2; launch m/2 threads with room for m floats
  int m = 2;
  while (m < n) m *= 2;
  brent_kung_kernel<<<1, m / 2, m * sizeof(float)>>>(d_in, d_out, n, m);
  // END TODO(lab17.5)
  return cudaGetLastError();
}
