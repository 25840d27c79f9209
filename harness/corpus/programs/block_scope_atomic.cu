// expect: race.global at here
// All blocks count in one word by an atomic that is one step for the threads of one block only.
#include "../corpus.h"

__global__ void count(int *total) {
#ifdef SL_TWIN
  atomicAdd(total, 1);
#else
  atomicAdd_block(total, 1); // here
#endif
}
static int run() { return played(count, 4, 64, 4, 0); }
