// expect: stack.overflow
// A recursion that does not end.
#include <cstdio>
__device__ __noinline__ int depth(volatile int *x, int n) {
  int below = x[n & 31] == 77 ? 0 : depth(x, n + 1);  // here
  return below + x[n & 31];
}
__global__ void dive(int *x) { x[threadIdx.x] = depth(x, threadIdx.x); }
int main() {
  int *x;
  cudaMalloc(&x, 128);
  cudaMemset(x, 0, 128);
  dive<<<1, 32>>>(x);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  return e == cudaSuccess ? 1 : 0;
}
