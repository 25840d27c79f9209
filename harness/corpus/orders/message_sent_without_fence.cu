// expect: order.fence at here
// A word and a volatile flag. The writer makes no fence between them.

__device__ int flag;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence(); // twin
    *(volatile int *)&flag = 1;
  } else {
    while (*(volatile int *)&flag == 0) {}
    __threadfence();
    data[1] = data[0]; // here
  }
}
static int run() { return played(work, 2, 32); }
