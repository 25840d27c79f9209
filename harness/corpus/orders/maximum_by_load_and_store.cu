// expect: race.global at here
// A maximum that is looked at and then stored: two threads may both find theirs larger.
#include "orders.cuh"

__global__ void work(volatile int *data) {
  const int mine = (threadIdx.x + blockIdx.x) * 7 % 41;
#ifndef SL_TWIN
  if (threadIdx.x == 0 && data[0] < mine) data[0] = mine; // here
#else
  if (data[0] < mine) atomicMax((int *)data, mine);
#endif
}
static int run() { return played(work, 4, 32); }
