// A corrected twin: nothing is found.
// All of s was written and read; then elements that were written, too, are copied over them.
#include <cuda_runtime.h>

__global__ void copy_back(int *d) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = d[t], s[64 + t] = 7;
  __syncthreads();
  int mirror = s[63 - t];
  __syncthreads();
  s[t] = s[64 + t];
  __syncthreads();
  if (s[63 - t] > mirror) d[t] = 1;
}
int main() {
  int *d;
  cudaMalloc(&d, 256), cudaMemset(d, 1, 256);
  copy_back<<<1, 64, 512>>>(d);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
