// expect: order.fence at here
// Another warp makes the fence at the time of the write: no barrier orders the write before that fence.

__device__ int flag;
__global__ void work(int *data) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    if (t == 40) {
      data[0] = 42; // here
      __threadfence(); // twin
    }
    if (t == 3) __threadfence();
    __syncthreads();
    if (t == 20) *(volatile int *)&flag = 1;
  } else if (t == 0) {
    while (*(volatile int *)&flag == 0) {}
    __threadfence();
    data[1] = data[0];
  }
}
static int run() { return played(work, 2, 64); }
