// expect: nothing
// A scan of one warp in shared memory with __syncwarp().

static const task TASK = {INCLUSIVE, 32, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  for (int o = 1; o < 32; o *= 2) {
    const int y = t >= o ? s[t - o] : 0;
    __syncwarp();
    s[t] += y;
    __syncwarp();
  }
  out[t] = s[t];
}
