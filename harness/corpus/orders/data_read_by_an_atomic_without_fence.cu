// expect: order.fence at here
// Written and read by atomics, between blocks, and the fences are those of one block.

__device__ int flag;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    atomicExch(&data[0], 42);
    __threadfence_block(); // wrong
    __threadfence();       // twin
    atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) == 0) {
    }
    __threadfence_block();            // wrong
    __threadfence();                  // twin
    data[1] = atomicAdd(&data[0], 0); // here
  }
}
static int run() { return played(work, 2, 32); }
