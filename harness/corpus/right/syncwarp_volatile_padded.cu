// expect: nothing
// The same with zeros before the array, and volatile.

static const task TASK = {INCLUSIVE, 32, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ volatile int s[48];
  const int t = threadIdx.x;
  s[t] = t < 16 ? 0 : 0;
  __syncwarp();
  s[t + 16] = in[t];
  __syncwarp();
  for (int o = 1; o < 32; o *= 2) {
    int y = t + 16 - o >= 0 && t >= o ? s[t + 16 - o] : 0;
    __syncwarp();
    s[t + 16] = s[t + 16] + y;
    __syncwarp();
  }
  out[t] = s[t + 16];
}
