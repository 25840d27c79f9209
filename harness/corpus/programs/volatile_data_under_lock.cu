// expect: order.fence at here
// A spin lock guards a volatile word and is given back without a fence: volatile orders nothing.

__device__ int lock;
__global__ void take_turns(volatile int *last) {
  if (threadIdx.x) return;
  while (atomicCAS(&lock, 0, 1) != 0) {}
  __threadfence();
  last[0] = blockIdx.x + 1; // here
  __threadfence(); // twin
  atomicExch(&lock, 0);
}
static int run() { return played(take_turns, 4, 32, 4, UNSET); }
