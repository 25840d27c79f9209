// expect: order.fence at here
// Written by atomicExch and read as volatile, between blocks, and the fences are those of one block.

__device__ int flag;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    atomicExch(&data[0], 42);
    __threadfence_block(); // wrong
    __threadfence();       // twin
    *(volatile int *)&flag = 1;
  } else {
    while (*(volatile int *)&flag == 0) {}
    __threadfence_block();               // wrong
    __threadfence();                     // twin
    data[1] = *(volatile int *)&data[0]; // here
  }
}
static int run() { return played(work, 2, 32); }
