// expect: race.shared
// also: memory.uninit
// The ticket is read before thread 0 is known to have drawn it.
#include <cstdio>
#include <cuda_runtime.h>

__device__ unsigned ticket;
__global__ void tile(int *d) {
  __shared__ int s_tile;
  int t = threadIdx.x;
  if (t == 0) s_tile = atomicAdd(&ticket, 1);
  //
  d[(s_tile & 1) * 64 + t] = t; // here
}
int main() {
  int *d;
  cudaMalloc(&d, 512);
  tile<<<2, 64>>>(d);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
