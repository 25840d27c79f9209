// expect: race.global at here
// One block counts by atomics of block scope, the others by those of device scope.
#include "orders.cuh"

__global__ void work(int *data) {
#ifndef SL_TWIN
  if (blockIdx.x == 1) atomicAdd_block(&data[0], 1); // here
#else
  if (blockIdx.x == 1) atomicAdd_system(&data[0], 1);
#endif
  else atomicAdd(&data[0], 1); // here
}
static int run() { return played(work, 4, 32); }
