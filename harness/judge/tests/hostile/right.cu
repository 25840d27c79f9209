// A lab 03 kernel that is right, but for some sizes does what a submission must not get away with. A kernel
// has one file: hostile.cu is these files one behind the other, this one first and table.cu last.
//
// Which: by n, see the rows at the end of each file. All else is honest, so a pass or a wrong reason is the
// judge's.
#include "scanlab/lab.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// By 256 threads: each has a run of its own, and adds what stands before it.
__global__ void scan(const float *in, float *out, int n) {
  __shared__ float sums[256];
  const int t = threadIdx.x, each = (n + 255) / 256, from = t * each, end = from + each < n ? from + each : n;
  float sum = 0;
  for (int i = from; i < end; i++) sum += in[i];
  sums[t] = sum;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    const float left = t >= d ? sums[t - d] : 0;
    __syncthreads();
    sums[t] += left;
    __syncthreads();
  }
  sum = t ? sums[t - 1] : 0;
  for (int i = from; i < end; i++) {
    const float x = in[i];
    out[i] = sum;
    sum += x;
  }
}

__global__ void fill(float *out, int n, float value) {
  for (int i = 0; i < n; i++) out[i] = value;
}

__global__ void nothing() {}

static cudaError_t right(const float *in, float *out, int n) {
  if (n > 0) scan<<<1, 256>>>(in, out, n);
  return cudaGetLastError();
}

// y may be x.
static void host_scan(const float *x, float *y, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) {
    const float own = x[i];
    y[i] = sum;
    sum += own;
  }
}

// The result from the host as before, but put into the output by a kernel, which looks like any other.
__global__ void copies(const float *from, float *out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = from[i];
}

struct row {
  int n;
  cudaError_t (*does)(const float *in, float *out, int n);
};
