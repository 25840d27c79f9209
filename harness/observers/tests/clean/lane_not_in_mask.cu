// A corrected twin: nothing is found.
// All lanes shuffle, but the mask names half of them.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum(int *d) {
  int x = d[threadIdx.x];
  x += __shfl_xor_sync(0xffffffffu, x, 1);
  d[threadIdx.x] = x;
}
int main() {
  int *d;
  cudaMalloc(&d, 128), cudaMemset(d, 0, 128);
  sum<<<1, 32>>>(d);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
