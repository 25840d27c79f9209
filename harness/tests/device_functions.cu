// Loads a kernel for every device function that the toolkit's headers declare (device_functions.awk writes
// them); all instructions are decoded before the first kernel runs, and one that does not run is refused.
#include "device_functions.h"
#include <cstdio>
#include "kernels.inc"

__global__ void one(int *x) { *x = 1; }
int main() {
  int *x, v = 0;
  if (cudaMalloc((void **)&x, 4)) return 1;
  one<<<1, 1>>>(x);
  cudaMemcpy(&v, x, 4, cudaMemcpyDeviceToHost);
  printf("%d kernels: %s\n", KERNELS, cudaGetErrorString(cudaGetLastError()));
  return cudaFree(x) != cudaSuccess || v != 1 || KERNELS < 1000;
}
