// A corrected twin: nothing is found.
// The mask names the half of the warp that gets to the shuffle.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum(int *d) {
  int x = d[threadIdx.x];
  if (threadIdx.x < 16) {
    x += __shfl_xor_sync(0x0000ffffu, x, 1);
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
