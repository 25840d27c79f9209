// A corrected twin: nothing is found.
// Block 0 tells block 1, block 1 tells block 2, which reads what block 0 wrote: fences add up over the chain.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void chain(int *data, volatile int *flag, int *out) {
  if (blockIdx.x == 0) {
    *data = 42;
    __threadfence();
    flag[0] = 1;
  } else if (blockIdx.x == 1) {
    while (flag[0] == 0) {}
    __threadfence();
    flag[1] = 1;
  } else {
    while (flag[1] == 0) {}
    __threadfence();
    *out = *data;
  }
}
int main() {
  int *data, *flag, *out;
  cudaMalloc(&data, 4), cudaMalloc(&out, 4);
  cudaMalloc(&flag, 8), cudaMemset(flag, 0, 8);
  chain<<<3, 1>>>(data, flag, out);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
