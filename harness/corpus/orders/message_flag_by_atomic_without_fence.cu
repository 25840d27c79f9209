// expect: order.fence at here
// The flag is raised and read by atomics. They order nothing else.

__device__ int flag;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence(); // twin
    atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) == 0) {}
    __threadfence();
    data[1] = data[0]; // here
  }
}
static int run() { return played(work, 2, 32); }
