// A corrected twin: nothing is found. Two lanes write the same value.
// Two lanes write different values to one word in the same instruction.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void put(int *d) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t / 2] = t / 2;
  __syncthreads();
  if (t < 16) d[t] = s[t];
}
int main() {
  int *d;
  cudaMalloc(&d, 128);
  put<<<1, 32>>>(d);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
