// expect: order.fence at here
// A lock for a word that all blocks change. No fence stands before it is given back.

__device__ int lock;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  while (atomicCAS(&lock, 0, 1) != 0) {}
  __threadfence();
  data[0] += 1; // here
  __threadfence(); // twin
  atomicExch(&lock, 0);
}
static int run() { return played(work, 4, 32); }
