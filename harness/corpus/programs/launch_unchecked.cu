// expect: host.error at here
// Too many threads a block: the launch fails, and nobody asks.
#include "../corpus.h"

__global__ void fill(int *x) { x[threadIdx.x] = 1; }
static int run() {
  int *x, first = 0;
  if (cudaMalloc(&x, 8192)) return 1;
#ifndef SL_TWIN
  fill<<<1, 2048>>>(x); // here
#else
  fill<<<1, 2048>>>(x);
  if (cudaGetLastError() != cudaSuccess) fill<<<1, 1024>>>(x);
#endif
  if (cudaMemcpy(&first, x, 4, cudaMemcpyDeviceToHost)) return 1;
  printf("%d\n", first);
  cudaFree(x);
  return 0;
}
