// Without __restrict__ a kernel may work in place.
#include <cuda_runtime.h>

__global__ void twice(const int *in, int *out) {
  int x = in[threadIdx.x];
  out[threadIdx.x] = 2 * x;
}
__global__ void half(const int *__restrict__ in, int *out) { out[threadIdx.x] = in[threadIdx.x] / 2; } // another half of the array
int main() {
  int *d;
  cudaMalloc(&d, 512), cudaMemset(d, 0, 512);
  twice<<<1, 64>>>(d, d);
  half<<<1, 64>>>(d, d + 64);
  half<<<1, 64>>>(d + 64, d);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
