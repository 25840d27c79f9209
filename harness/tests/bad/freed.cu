// expect: memory.freed
// The array was freed before the kernel used it.
#include <cstdio>
__global__ void use(int *x) {
  x[threadIdx.x] += 1;  // here
}
int main() {
  int *x;
  cudaMalloc(&x, 128);
  cudaFree(x);
  use<<<1, 32>>>(x);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  return e == cudaErrorIllegalAddress ? 0 : 1;
}
