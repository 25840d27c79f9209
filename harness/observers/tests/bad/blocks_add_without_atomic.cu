// expect: race.global
// Every block adds to one word, without an atomic.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum(int *total) {
  if (threadIdx.x == 0) *total += blockIdx.x + 1; // here
}
int main() {
  int *d;
  cudaMalloc(&d, 4), cudaMemset(d, 0, 4);
  sum<<<4, 32>>>(d);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
