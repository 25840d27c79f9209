// expect: order.fence at here
// The word is volatile and decides a branch. The reader makes no fence behind the flag.

__device__ int flag;
__global__ void work(volatile int *data) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    *(volatile int *)&flag = 1;
  } else {
    while (*(volatile int *)&flag == 0) {}
    __threadfence(); // twin
    if (data[0] != 42) data[1] = 1; // here
  }
}
static int run() { return played(work, 2, 32); }
