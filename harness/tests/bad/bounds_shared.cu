// expect: memory.bounds
// The double buffer needs 2 * n words; n were given.
#include <cstdio>
__global__ void short_buffer(float *x, int n) {
  extern __shared__ float s[];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  s[n + threadIdx.x] = s[n - 1 - threadIdx.x];  // here
  __syncthreads();
  x[threadIdx.x] = s[n + threadIdx.x];
}
int main() {
  float *x;
  cudaMalloc(&x, 64 * sizeof(float));
  cudaMemset(x, 0, 64 * sizeof(float));
  short_buffer<<<1, 64, 64 * sizeof(float)>>>(x, 64);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  return e == cudaErrorIllegalAddress ? 0 : 1;
}
