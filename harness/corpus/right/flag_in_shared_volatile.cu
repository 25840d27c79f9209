// expect: nothing
// A warp waits for another one by a volatile flag in shared memory.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ volatile int flag, w;
  const int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncthreads();
  int x = warp_sum(in[t]);
  if (t == 31) {
    w = x;
    __threadfence_block();
    flag = 1;
  }
  if (t >= 32) {
    while (flag == 0) {
    }
    __threadfence_block();
    x += w;
  }
  out[t] = x;
}
