// expect: barrier.mask at here
// All lanes shuffle, but the mask names half of them.
#include "../corpus.h"

__global__ void sum(int *d) {
  int x = d[threadIdx.x];
#ifdef SL_TWIN
  x += __shfl_xor_sync(0xffffffffu, x, 1);
#else
  x += __shfl_xor_sync(0xffffu, x, 1); // here
#endif
  d[threadIdx.x] = x;
}
static int run() { return played(sum, 1, 32, 128, 0); }
