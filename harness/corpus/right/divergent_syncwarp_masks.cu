// expect: nothing
// The halves of a warp go their own ways, each with a __syncwarp() of its own mask.

static const task TASK = {INCLUSIVE, 32, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = in[t];
  const unsigned half = t < 16 ? 0xffff : 0xffff0000;
  if (t < 16) {
    __syncwarp(0xffff);
    for (int o = 1; o < 16; o *= 2) {
      const int y = t >= o ? s[t - o] : 0;
      __syncwarp(0xffff);
      s[t] += y;
      __syncwarp(0xffff);
    }
  } else {
    __syncwarp(half);
    for (int o = 1; o < 16; o *= 2) {
      const int y = t - 16 >= o ? s[t - o] : 0;
      __syncwarp(half);
      s[t] += y;
      __syncwarp(half);
    }
  }
  __syncwarp();
  out[t] = s[t] + (t >= 16 ? s[15] : 0);
}
