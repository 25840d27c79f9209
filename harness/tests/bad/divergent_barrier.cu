// expect: progress.deadlock
// Half of the threads wait at the barrier, the others for a flag that is set behind it.
#include <cstdio>
__global__ void half(volatile int *flag) {
  if (threadIdx.x < 32) {
    __syncthreads();
    *flag = 1;
  } else {
    while (*flag == 0) {}  // here
  }
}
int main() {
  int *x;
  cudaMalloc(&x, 256);
  cudaMemset(x, 0, 256);
  half<<<1, 64>>>(x);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  return e == cudaErrorLaunchTimeout ? 0 : 1;
}
