// expect: order.fence at here
// Blocks meet in pairs and the pairs at a root: where they arrive a fence is missing.

__device__ unsigned pair[2], root, opened;
__global__ void work(int *words) {
  const int n = blockDim.x, b = blockIdx.x;
  words[b * n + threadIdx.x] = b; // here
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence(); // twin
    if (atomicAdd(&pair[b / 2], 1) == 1) {
      __threadfence();
      if (atomicAdd(&root, 1) == 1) {
        __threadfence();
        atomicExch(&opened, 1);
      }
    }
    while (atomicAdd(&opened, 0) == 0) {}
    __threadfence();
  }
  __syncthreads();
  words[(4 + b) * n + threadIdx.x] = words[(3 - b) * n + threadIdx.x];
}
static int run() { return played(work, 4, 32); }
