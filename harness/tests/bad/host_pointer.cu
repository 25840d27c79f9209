// expect: memory.host
// A host pointer used by a kernel.
#include <cstdio>
#include <cstdlib>
__global__ void use(int *x) {
  x[threadIdx.x] = 1;  // here
}
int main() {
  int *x = (int *)malloc(128);
  use<<<1, 32>>>(x);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  return e == cudaErrorIllegalAddress ? 0 : 1;
}
