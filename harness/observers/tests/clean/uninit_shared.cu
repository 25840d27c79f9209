// A corrected twin: nothing is found.
// The second half of the array is never filled, but summed up.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum(int *d) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = d[t];
  s[t + 64] = d[t + 64];
  __syncthreads();
  d[t] = s[t] + s[t + 64];
}
int main() {
  int *d;
  cudaMalloc(&d, 512), cudaMemset(d, 1, 512);
  sum<<<1, 64>>>(d);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
