// expect: race.global at here
// All blocks count in one volatile word.
#include "orders.cuh"

__global__ void work(volatile int *data) {
#ifndef SL_TWIN
  if (threadIdx.x == 0) data[0] = data[0] + 1; // here
#else
  if (threadIdx.x == 0) atomicAdd((int *)data, 1);
#endif
}
static int run() { return played(work, 4, 32); }
