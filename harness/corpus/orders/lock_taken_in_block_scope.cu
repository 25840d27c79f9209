// expect: race.global at here
// Several blocks take one lock by a compare-and-swap that is atomic within a block only.
#include "orders.cuh"

__device__ int lock;
__global__ void work(int *data) {
  if (threadIdx.x) return;
#ifndef SL_TWIN
  while (atomicCAS_block(&lock, 0, 1) != 0) {} // here
#else
  while (atomicCAS(&lock, 0, 1) != 0) {}
#endif
  __threadfence();
  data[0] += 1;
  __threadfence();
  atomicExch(&lock, 0);
}
static int run() { return played(work, 4, 32); }
