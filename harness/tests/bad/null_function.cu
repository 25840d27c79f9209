// expect: kernel.illegal
// A table of functions with a hole.
#include <cstdio>
__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ int (*table[2])(int) = {twice, nullptr};
__global__ void calls(int *x) {
  x[threadIdx.x] = table[threadIdx.x & 1](threadIdx.x);  // here
}
int main() {
  int *x;
  cudaMalloc(&x, 128);
  calls<<<1, 32>>>(x);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  return e == cudaSuccess ? 1 : 0;
}
