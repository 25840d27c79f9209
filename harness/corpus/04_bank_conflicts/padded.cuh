// The padded scan in parts that are right; each kernel of this folder writes out the part that it gets wrong.
// temp: padded(m - 1) + 1 words of shared memory, m a power of two; m/2 threads.
#pragma once
#include "../corpus.h"

typedef int placing(int i);
__host__ __device__ inline int padded(int i) { return i + (i >> 5); } // enough for up to 1024 elements

// Thread t loads elements t and t + m/2.
template <placing PLACE> __device__ void load_halves(const int *in, int *temp, int n, int m) {
  const int lo = threadIdx.x, hi = lo + m / 2;
  temp[PLACE(lo)] = lo < n ? in[lo] : 0;
  temp[PLACE(hi)] = hi < n ? in[hi] : 0;
}

// Begins each level with a barrier.
template <placing PLACE> __device__ void up_sweep(int *temp, int m) {
  for (int pairs = m / 2, offset = 1; pairs > 0; pairs /= 2, offset *= 2) {
    __syncthreads();
    const int right = offset * (2 * threadIdx.x + 2) - 1;
    if (threadIdx.x < pairs) temp[PLACE(right)] += temp[PLACE(right - offset)];
  }
}

template <placing PLACE> __device__ void clear_root(int *temp, int m) {
  if (threadIdx.x == 0) temp[PLACE(m - 1)] = 0;
}

// Begins each level with a barrier.
template <placing PLACE> __device__ void down_sweep(int *temp, int m) {
  for (int pairs = 1, offset = m / 2; pairs < m; pairs *= 2, offset /= 2) {
    __syncthreads();
    const int right = offset * (2 * threadIdx.x + 2) - 1;
    if (threadIdx.x >= pairs) continue;
    const int a = PLACE(right - offset), b = PLACE(right), sum = temp[a];
    temp[a] = temp[b];
    temp[b] += sum;
  }
}

// Begins with a barrier.
template <placing PLACE> __device__ void store_halves(const int *temp, int *out, int n, int m) {
  const int lo = threadIdx.x, hi = lo + m / 2;
  __syncthreads();
  if (lo < n) out[lo] = temp[PLACE(lo)];
  if (hi < n) out[hi] = temp[PLACE(hi)];
}

// run: start_padded(scan, in, out, n)
typedef void padded_kernel(const int *in, int *out, int n, int m);
inline cudaError_t start_padded(padded_kernel *kernel, const int *in, int *out, int n, int words = 0) {
  int m = 2;
  while (m < n) m *= 2;
  kernel<<<1, m / 2, (words ? words : padded(m - 1) + 1) * sizeof(int)>>>(in, out, n, m);
  return cudaGetLastError();
}
