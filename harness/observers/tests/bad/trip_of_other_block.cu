// expect: race.global each
// Blocks write one element; the trip of the block that has ended is told, too.
#include <cuda_runtime.h>

__global__ void write(int *sum, int n) {
#pragma unroll 1
  for (int k = 0; k < n; k++)
    if (k == 4 && blockIdx.x == 0) sum[0] += k; // here, trip 5
#pragma unroll 1
  for (int k = 0; k < n; k++)
    if (k == 7 && blockIdx.x == 1) sum[1] = sum[0]; // here, trip 8
}
int main() {
  int *d;
  cudaMalloc(&d, 256), cudaMemset(d, 1, 256);
  write<<<2, 1>>>(d, 9);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
