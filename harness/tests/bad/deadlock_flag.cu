// expect: progress.deadlock
// Block 0 waits for a flag that nobody sets.
#include <cstdio>
__global__ void wait_for(volatile int *flag, int *out) {
  if (threadIdx.x == 0)
    while (*flag == 0) {}  // here
  __syncthreads();
  out[threadIdx.x] = 1;
}
int main() {
  int *x;
  cudaMalloc(&x, 256);
  cudaMemset(x, 0, 256);
  wait_for<<<2, 32>>>(x, x + 32);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  return e == cudaErrorLaunchTimeout ? 0 : 1;
}
