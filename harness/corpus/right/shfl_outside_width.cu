// expect: nothing
// Shuffles of width 8: lanes that would read beyond their part get their own value.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int w[8];
  const int t = threadIdx.x;
  int x = in[t];
  for (int o = 1; o < 8; o *= 2) {
    const int y = __shfl_up_sync(0xffffffff, x, o, 8);
    if (t % 8 >= o) x += y;
  }
  if (t % 8 == 7) w[t / 8] = x;
  __syncthreads();
  for (int k = 0; k < t / 8; k++) x += w[k];
  out[t] = x;
}
