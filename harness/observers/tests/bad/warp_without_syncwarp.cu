// expect: race.shared
// Warp-synchronous reduction: volatile does not make the lanes of a warp wait for each other.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum(int *d) {
  __shared__ volatile int s[64];
  int t = threadIdx.x;
  s[t] = d[t], s[t + 32] = 0;
  __syncwarp();
#pragma unroll 1
  for (int o = 16; o > 0; o /= 2) {
    int x = s[t + o]; // here, trip 2
    //
    s[t] += x; // here
    //
  }
  if (t == 0) d[0] = s[0];
}
int main() {
  int *d;
  cudaMalloc(&d, 256), cudaMemset(d, 0x11, 256);
  sum<<<1, 32>>>(d);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
