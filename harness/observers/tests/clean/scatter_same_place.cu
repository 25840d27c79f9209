// A corrected twin: nothing is found.
// The positions are computed first.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void positions(int *pos) { pos[threadIdx.x] = threadIdx.x; }
__global__ void scatter(const int *pos, int *out) {
  out[pos[threadIdx.x]] = threadIdx.x;
}
int main() {
  int *pos, *out;
  cudaMalloc(&pos, 256), cudaMemset(pos, 0, 256), cudaMalloc(&out, 256);
  positions<<<1, 64>>>(pos);
  scatter<<<1, 64>>>(pos, out);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
