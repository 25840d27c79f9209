// expect: kernel.assert at only here
// A device assertion that does not hold.
#include "../corpus.h"

__global__ void check(const int *x) {
  assert(x[threadIdx.x] < 20); // here
}
static int run() {
  int h[32], *x;
#ifdef SL_TWIN
  for (int i = 0; i < 32; i++) h[i] = i / 2;
#else
  for (int i = 0; i < 32; i++) h[i] = i;
#endif
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  check<<<1, 32>>>(x);
  return ended_with(cudaErrorAssert);
}
