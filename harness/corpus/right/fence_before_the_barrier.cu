// expect: nothing
// Some lanes store and make a fence; behind a barrier another warp raises the flag without a fence.

static const task TASK = {INCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int *p) {
  __shared__ int before;
  const int b = blockIdx.x, t = threadIdx.x, i = b * 64 + t, x = block_scan(in[i]);
  volatile int *flags = p + 8;
  if (t == 40 && b > 0) {
    while (flags[b - 1] == 0) {
    }
    __threadfence();
  }
  __syncthreads();
  if (t == 63) {
    before = b > 0 ? p[b - 1] : 0;
    p[b] = before + x;
    __threadfence();
  }
  __syncthreads();
  if (t == 5) flags[b] = 1;
  out[i] = before + x;
}

static cudaError_t run(const int *in, int *out, int n) {
  return with_scratch(scan, 4, 64, 16, in, out, n, false);
}
