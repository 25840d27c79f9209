// expect: memory.uninit
// The counters come from cudaMalloc and are not set to zero.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void count(int *c, const int *d) {
  c[threadIdx.x] += d[threadIdx.x]; // here
}
int main() {
  int *c, *d;
  cudaMalloc(&d, 256), cudaMemset(d, 1, 256);
  cudaMalloc(&c, 256);
  //
  count<<<1, 64>>>(c, d);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
