// The work-efficient scan in parts that are right; each kernel of this folder writes out the part that it
// gets wrong. temp: m words of shared memory, m a power of two; m/2 threads.
#pragma once
#include "../corpus.h"

__device__ inline void load_pairs(const int *in, int *temp, int n) {
  const int i = 2 * threadIdx.x;
  temp[i] = i < n ? in[i] : 0;
  temp[i + 1] = i + 1 < n ? in[i + 1] : 0;
}

// Begins each level with a barrier.
__device__ inline void up_sweep(int *temp, int m) {
  int offset = 1;
  for (int pairs = m / 2; pairs > 0; pairs /= 2, offset *= 2) {
    __syncthreads();
    const int right = offset * (2 * threadIdx.x + 2) - 1;
    if (threadIdx.x < pairs) temp[right] += temp[right - offset];
  }
}

__device__ inline void clear_root(int *temp, int m) {
  if (threadIdx.x == 0) temp[m - 1] = 0; // the thread that has added up the root
}

// One pair of the down-sweep.
__device__ inline void swap_and_add(int *temp, int left, int right) {
  const int sum = temp[left];
  temp[left] = temp[right];
  temp[right] += sum;
}

// Begins each level with a barrier.
__device__ inline void down_sweep(int *temp, int m) {
  int offset = m;
  for (int pairs = 1; pairs < m; pairs *= 2) {
    offset /= 2;
    __syncthreads();
    const int right = offset * (2 * threadIdx.x + 2) - 1;
    if (threadIdx.x < pairs) swap_and_add(temp, right - offset, right);
  }
}

// Begins with a barrier.
__device__ inline void store_pairs(const int *temp, int *out, int n) {
  const int i = 2 * threadIdx.x;
  __syncthreads();
  if (i < n) out[i] = temp[i];
  if (i + 1 < n) out[i + 1] = temp[i + 1];
}

// run: start_tree(scan, in, out, n)
typedef void tree_kernel(const int *in, int *out, int n, int m);
inline cudaError_t start_tree(tree_kernel *kernel, const int *in, int *out, int n) {
  int m = 2;
  while (m < n) m *= 2;
  kernel<<<1, m / 2, m * sizeof(int)>>>(in, out, n, m);
  return cudaGetLastError();
}
