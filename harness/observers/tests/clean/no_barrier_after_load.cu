// A corrected twin: nothing is found.
// The reversal reads what other threads load, without a barrier.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void reverse(int *d) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = d[t];
  __syncthreads();
  d[t] = s[127 - t];
}
int main() {
  int *d;
  cudaMalloc(&d, 512), cudaMemset(d, 0, 512);
  reverse<<<1, 128>>>(d);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
