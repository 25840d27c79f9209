// expect: memory.bounds
// A grid of whole blocks and no guard: the last threads write past the array.
#include <cstdio>
__global__ void no_guard(int *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;  // here
}
int main() {
  int *x;
  cudaMalloc(&x, 1000 * sizeof(int));
  no_guard<<<4, 256>>>(x);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  return e == cudaErrorIllegalAddress ? 0 : 1;
}
