// A corrected twin: nothing is found.
// The last element has a right neighbour that differs from it.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void count_runs(int *out, const int *in) {
  __shared__ int s[65];
  s[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x == 0) s[64] = -1;
  __syncthreads();
  if (s[threadIdx.x] != s[threadIdx.x + 1])
    atomicAdd(out, 1);
}
int main() {
  int *out, *in;
  cudaMalloc(&out, 4), cudaMemset(out, 0, 4);
  cudaMalloc(&in, 256), cudaMemset(in, 0, 256);
  count_runs<<<1, 64>>>(out, in);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
