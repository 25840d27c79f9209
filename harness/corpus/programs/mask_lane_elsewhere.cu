// expect: barrier.mask at here
// The mask of the shuffle names all lanes, but only half of the warp gets to it.
#include "../corpus.h"

__global__ void sum(int *d) {
  int x = d[threadIdx.x];
  if (threadIdx.x < 16) {
#ifdef SL_TWIN
    x += __shfl_xor_sync(0x0000ffffu, x, 1);
#else
    x += __shfl_xor_sync(0xffffffffu, x, 1); // here
#endif
  }
  __syncthreads();
  d[threadIdx.x] = x;
}
static int run() {
  int *d;
  cudaMalloc(&d, 128), cudaMemset(d, 0, 128);
  sum<<<1, 32>>>(d);
  return ended_with(cudaErrorLaunchTimeout);
}
