// expect: memory.uninit
// The last element is compared with its right neighbour, which nobody has written: the value decides a branch.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void count_runs(int *out, const int *in) {
  __shared__ int s[65];
  s[threadIdx.x] = in[threadIdx.x];
  //
  __syncthreads();
  if (s[threadIdx.x] != s[threadIdx.x + 1]) // here
    atomicAdd(out, 1);
}
int main() {
  int *out, *in;
  cudaMalloc(&out, 4), cudaMemset(out, 0, 4);
  cudaMalloc(&in, 256), cudaMemset(in, 0, 256);
  count_runs<<<1, 64>>>(out, in);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
