// expect: order.fence at here
// Blocks take a lock in turn, and the fence behind the loop is one of block scope.

__device__ int lock;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  while (atomicCAS(&lock, 0, 1) != 0) {}
  __threadfence_block(); // wrong
  __threadfence(); // twin
  data[0] += 1; // here
  __threadfence();
  atomicExch(&lock, 0);
}
static int run() { return played(work, 4, 32); }
