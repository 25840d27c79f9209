// expect: order.fence at here
// A word goes from the first block to the second, which tells the third without a fence before.

__device__ int flags[2];
__global__ void work(int *data) {
  volatile int *f = flags;
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    f[0] = 1;
  } else if (blockIdx.x == 1) {
    while (f[0] == 0) {}
    __threadfence();
    data[1] = data[0] + 1;
    __threadfence(); // twin
    f[1] = 1;
  } else {
    while (f[1] == 0) {}
    __threadfence();
    data[2] = data[1]; // here
  }
}
static int run() { return played(work, 3, 32); }
