// expect: order.fence at here
// The first block sets up a table, the others see that it is ready. Nothing makes the table visible.

__device__ int lock, ready, table;
__global__ void work(int *data) {
  volatile int *up = &ready;
  if (threadIdx.x) return;
  if (*up == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {}
    __threadfence();
    if (*up == 0) {
      table = 42;
      __threadfence(); // twin
      *up = 1;
    }
    __threadfence();
    atomicExch(&lock, 0);
  }
  __threadfence(); // twin
  data[blockIdx.x] = table; // here
}
