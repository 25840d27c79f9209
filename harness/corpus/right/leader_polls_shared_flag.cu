// expect: nothing
// One lane polls a volatile flag in shared memory for its warp and shares what it has seen by a shuffle.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ volatile int flag, sum;
  const int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncthreads();
  int x = warp_sum(in[t]);
  if (t == 31) {
    sum = x;
    __threadfence_block();
    flag = 1;
  }
  if (t >= 32) {
    int up = 0;
    do {
      if (t == 32) up = flag;
      up = __shfl_sync(0xffffffff, up, 0);
    } while (up == 0);
    if (t == 32) __threadfence_block();
    __syncwarp();
    x += sum;
  }
  out[t] = x;
}
