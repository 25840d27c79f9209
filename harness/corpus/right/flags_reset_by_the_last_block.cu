// expect: nothing
// Flags in a variable of the device, which the last block of a launch puts back to 0 for the next one.

static const task TASK = {INCLUSIVE, 256, 2};

struct chain_state {
  int ticket, done, flag[4], prefix[4];
};
__device__ chain_state chain;

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int tile, before;
  if (threadIdx.x == 0) tile = atomicAdd(&chain.ticket, 1);
  __syncthreads();
  const int i = tile * 64 + threadIdx.x, x = block_scan(in[i]);
  if (threadIdx.x == 63) {
    before = 0;
    if (tile > 0) {
      while (*(volatile int *)&chain.flag[tile - 1] == 0) {}
      __threadfence();
      before = *(volatile int *)&chain.prefix[tile - 1];
    }
    *(volatile int *)&chain.prefix[tile] = before + x;
    __threadfence();
    *(volatile int *)&chain.flag[tile] = 1;
    __threadfence();
    if (atomicAdd(&chain.done, 1) == gridDim.x - 1) {
      __threadfence();
      for (int k = 0; k < gridDim.x; k++) *(volatile int *)&chain.flag[k] = 0;
      chain.ticket = chain.done = 0;
    }
  }
  __syncthreads();
  out[i] = before + x;
}

static cudaError_t run(const int *in, int *out, int n) {
  scan<<<n / 64, 64>>>(in, out, n);
  return cudaGetLastError();
}
