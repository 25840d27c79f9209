// expect: race.global at here
// Every block adds to one word, without an atomic.
#include "../corpus.h"

__global__ void sum(int *total) {
#ifdef SL_TWIN
  if (threadIdx.x == 0) atomicAdd(total, blockIdx.x + 1);
#else
  if (threadIdx.x == 0) *total += blockIdx.x + 1; // here
#endif
}
static int run() { return played(sum, 4, 32, 4, 0); }
