// expect: race.shared at here
// says: Split line 16,
// Both accesses are in one line, so no barrier fits between them.
#include "../corpus.h"

__global__ void step(int *d) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
#ifdef SL_TWIN
  int left = t > 0 ? s[t - 1] : 0;
  __syncthreads();
  s[t] += left;
#else
  if (t > 0) s[t] += s[t - 1]; // here
#endif
  d[t] = s[t];
}
static int run() { return played(step, 1, 64, 256, UNSET); }
