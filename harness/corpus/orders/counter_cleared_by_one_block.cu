// expect: race.global at here
// The first block clears the counter, while others count already.
#include "orders.cuh"

__global__ void work(int *data) {
#ifndef SL_TWIN
  if (blockIdx.x == 0 && threadIdx.x == 0) data[0] = 0; // here
#endif
  atomicAdd(&data[0], 1); // here
}
static int run() { return played(work, 4, 32); }
