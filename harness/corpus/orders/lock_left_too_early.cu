// expect: race.global at here
// The word is changed after the lock has been given back.
#include "orders.cuh"

__device__ int lock;
__global__ void work(volatile int *data) {
  if (threadIdx.x) return;
  while (atomicCAS(&lock, 0, 1) != 0) {}
  __threadfence();
#ifdef SL_TWIN
  data[0] = data[0] + 1;
#endif
  __threadfence();
  atomicExch(&lock, 0);
#ifndef SL_TWIN
  data[0] = data[0] + 1; // here
#endif
}
static int run() { return played(work, 4, 32); }
