// expect: order.fence at here
// Blocks take a lock in turn, and the fence before it is given back is one of block scope.

__device__ int lock;
__global__ void work(volatile int *data) {
  if (threadIdx.x) return;
  while (atomicCAS(&lock, 0, 1) != 0) {}
  __threadfence();
  data[0] = blockIdx.x; // here
  __threadfence_block(); // wrong
  __threadfence_system(); // twin
  atomicExch(&lock, 0);
}
