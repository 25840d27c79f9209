// Scans of lab 01 that a process for several cases must not judge otherwise than a process for each. One of
// these macros: FIRST_WRONG (a process's first call), LATER_WRONG (all others), PRINTS, ENDS_BADLY.
#include "scanlab/lab.h"

#include <stdio.h>
#include <unistd.h>

__global__ void scan_kernel(const float *in, float *out, int n, int wrong) {
  __shared__ float s[1024];
  int t = threadIdx.x;
  if (t < n) s[t] = in[t];
  __syncthreads();
  for (int step = 1; step < n; step *= 2) {
    float x = t < n ? s[t] : 0, left = t >= step && t < n ? s[t - step] : 0;
    __syncthreads();
    if (t >= step && t < n) s[t] = x + left;
    __syncthreads();
  }
  if (t < n) out[t] = wrong ? -1 - s[t] : s[t]; // further off than the rounding of large sums may be
}

#ifdef ENDS_BADLY
__attribute__((destructor)) static void last() { _exit(7); }
#endif

cudaError_t lab01_naive_scan(const float *in, float *out, int n) {
  static int calls = 0;
  int wrong = 0;
#ifdef FIRST_WRONG
  wrong = calls == 0;
#endif
#ifdef LATER_WRONG
  wrong = calls > 0;
#endif
#ifdef PRINTS
  printf("call %d\n", calls);
#endif
  calls++;
  if (n > 0) scan_kernel<<<1, 1024>>>(in, out, n, wrong);
  return cudaGetLastError();
}
