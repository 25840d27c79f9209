// expect: barrier.mask
// The mask of the shuffle names all lanes, but only half of the warp gets to it.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum(int *d) {
  int x = d[threadIdx.x];
  if (threadIdx.x < 16) {
    //
    x += __shfl_xor_sync(0xffffffffu, x, 1); // here
  }
  __syncthreads();
  d[threadIdx.x] = x;
}
int main() {
  int *d;
  cudaMalloc(&d, 128), cudaMemset(d, 0, 128);
  sum<<<1, 32>>>(d);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
