// expect: order.fence at here
// A lock for a word that all blocks change. No fence stands behind the loop that takes it.

__device__ int lock;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  while (atomicCAS(&lock, 0, 1) != 0) {}
  __threadfence(); // twin
  data[0] += 1; // here
  __threadfence();
  atomicExch(&lock, 0);
}
static int run() { return played(work, 4, 32); }
