// The default stream and a blocking stream wait for each other.
#include <cuda_runtime.h>

__global__ void sum(const int *a, int *total) {
  if (threadIdx.x == 0)
    for (int i = 0; i < 256; i++) *total += a[i];
}
__global__ void fill(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
int main() {
  int *a, *total;
  cudaStream_t s;
  cudaMalloc(&a, 1024), cudaMalloc(&total, 4);
  cudaMemset(a, 0, 1024), cudaMemset(total, 0, 4);
  cudaStreamCreate(&s);
  sum<<<1, 32>>>(a, total);
  fill<<<2, 128, 0, s>>>(a);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
