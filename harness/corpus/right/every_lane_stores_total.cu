// expect: nothing
// All lanes of a warp store one value to one place, in one instruction.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int w[2];
  const int t = threadIdx.x;
  const int x = warp_sum(in[t]);
  w[t / 32] = __shfl_sync(0xffffffff, x, 31);
  __syncthreads();
  out[t] = x + (t / 32 ? w[0] : 0);
}
