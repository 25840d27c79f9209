// expect: nothing
// Flags are never reset: each launch waits for a number of its own.

static const task TASK = {INCLUSIVE, 256, 2};

__device__ int flag[4], prefix[4];

__global__ void scan(const int *in, int *out, int launch) {
  __shared__ int before;
  const int tile = blockIdx.x, i = tile * 64 + threadIdx.x, x = block_scan(in[i]);
  if (threadIdx.x == 63) {
    before = 0;
    if (tile > 0) {
      while (*(volatile int *)&flag[tile - 1] != launch) {}
      __threadfence();
      before = *(volatile int *)&prefix[tile - 1];
    }
    *(volatile int *)&prefix[tile] = before + x;
    __threadfence();
    *(volatile int *)&flag[tile] = launch;
  }
  __syncthreads();
  out[i] = before + x;
}

static cudaError_t run(const int *in, int *out, int n) {
  static int launches;
  void *args[] = {(void *)&in, &out, &++launches};
  return cudaLaunchCooperativeKernel((void *)scan, dim3(n / 64), dim3(64), args, 0, 0);
}
