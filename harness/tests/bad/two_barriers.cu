// expect: barrier.divergent
// Odd warps wait at another barrier than even warps: nobody is left who could come.
#include <cstdio>
__global__ void apart(int *out) {
  if ((threadIdx.x >> 5) & 1)
    asm volatile("bar.sync 1;" ::: "memory");
  else
    asm volatile("bar.sync 2;" ::: "memory");  // here
  out[threadIdx.x] = 1;
}
int main() {
  int *x;
  cudaMalloc(&x, 256);
  apart<<<1, 64>>>(x);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  return e == cudaErrorLaunchTimeout ? 0 : 1;
}
