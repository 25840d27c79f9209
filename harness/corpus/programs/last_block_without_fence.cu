// expect: order.fence at here
// The last block adds up what the others have written, but they published it by an atomic without a fence.

__device__ unsigned done;
__device__ volatile int partial[64];
__global__ void sum(int *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = blockIdx.x;
    __threadfence(); // twin
    last = atomicAdd(&done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int total = 0;
    for (int b = 0; b < gridDim.x; b++) total += partial[b]; // here
    *out = total;
  }
}
static int run() { return played(sum, 8, 32, 4, UNSET); }
