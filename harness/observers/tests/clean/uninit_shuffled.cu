// A corrected twin: nothing is found.
// The other half of the tile is zero.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum(int *out, const int *in) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x < 16 ? in[threadIdx.x] : 0;
  __syncwarp();
  int x = s[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffffu, x, d);
  if (threadIdx.x == 0) *out = x;
}
int main() {
  int *out, *in;
  cudaMalloc(&out, 4), cudaMalloc(&in, 128), cudaMemset(in, 0, 128);
  sum<<<1, 32>>>(out, in);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
