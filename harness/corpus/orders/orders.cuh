// What the kernels of this folder share: locks, flags, scopes and barriers, each wrong in one place and right.
#ifndef SL_CORPUS_ORDERS_CUH
#define SL_CORPUS_ORDERS_CUH

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/utility>

// Runs a kernel with 1024 words of zeros.
template <class K> int played(K kernel, int blocks, int threads) {
  int *data;
  cudaMalloc(&data, 4096), cudaMemset(data, 0, 4096);
  kernel<<<blocks, threads>>>(data);
  return ended_with(cudaSuccess);
}

#endif
