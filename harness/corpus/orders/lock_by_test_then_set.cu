// expect: race.global at here
// with: --warps random --seed 4
// A lock that is looked at and then set by two accesses: two threads may find it free.
#include "orders.cuh"

__device__ int lock;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  for (int round = 0; round < 100; round++) {
#ifndef SL_TWIN
    volatile int *taken = &lock;
    while (*taken != 0) {}
    *taken = 1; // here
#else
    while (atomicCAS(&lock, 0, 1) != 0) {}
#endif
    __threadfence();
    data[0] += 1;
    __threadfence();
    atomicExch(&lock, 0);
  }
}
static int run() { return played(work, 4, 32); }
