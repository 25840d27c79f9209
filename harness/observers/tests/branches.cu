// A right program with thousands of branches behind a load whose value only some lanes need: what follows
// them must not need a stack as deep as the program is long. 4000 branches, a launch of one warp.
#define ONE                                                                                                  \
  asm volatile("{ .reg .pred p; setp.eq.s32 p, %0, 77; @p bra END_%=; add.s32 %0, %0, 1; END_%=: }" : "+r"(v));
#define TWENTY ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE
#define FOUR_HUNDRED                                                                                         \
  TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY   \
      TWENTY TWENTY TWENTY TWENTY TWENTY
#include "scanlab/must.h"

__device__ int found;

__global__ void branches(int *x, int n) {
  if (threadIdx.x == 5 && !found) x[0] = 1;
  int v = n;
  FOUR_HUNDRED FOUR_HUNDRED FOUR_HUNDRED FOUR_HUNDRED FOUR_HUNDRED
  FOUR_HUNDRED FOUR_HUNDRED FOUR_HUNDRED FOUR_HUNDRED FOUR_HUNDRED
  if (n > 1000000) x[1] = found;
  if (threadIdx.x == 0) x[2] = v;
}

int main() {
  int *x, ends[3];
  MUST(cudaMalloc(&x, sizeof ends));
  MUST(cudaMemset(x, 0, sizeof ends));
  branches<<<1, 32>>>(x, 100);
  MUST(cudaMemcpy(ends, x, sizeof ends, cudaMemcpyDeviceToHost));
  MUST(cudaFree(x));
  return ends[0] != 1 || ends[2] != 4100;
}
