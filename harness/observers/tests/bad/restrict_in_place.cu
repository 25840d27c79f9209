// expect: memory.readonly
// The result goes where the input is, although the kernel promises with __restrict__ that nobody writes that.
#include <cuda_runtime.h>

__global__ void twice(const int *__restrict__ in, int *out) {
  int x = in[threadIdx.x];
  out[threadIdx.x] = 2 * x; // here
}
int main() {
  int *d;
  cudaMalloc(&d, 256), cudaMemset(d, 0, 256);
  twice<<<1, 64>>>(d, d);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
