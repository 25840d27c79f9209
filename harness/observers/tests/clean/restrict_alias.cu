// A corrected twin: nothing is found.
// Two arrays.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void smooth(const int *__restrict__ in, int *out) {
  out[threadIdx.x] = 2 * (int)threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = in[threadIdx.x ^ 1];
}
int main() {
  int *d, *e;
  cudaMalloc(&d, 256), cudaMemset(d, 0, 256);
  cudaMalloc(&e, 256), cudaMemset(e, 0, 256);
  smooth<<<1, 32>>>(d, e);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
