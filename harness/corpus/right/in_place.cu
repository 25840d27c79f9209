// expect: nothing
// In place with two barriers a step.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int o = 1; o < 64; o *= 2) {
    int y = 0;
    if (t >= o) y = s[t - o];
    __syncthreads();
    if (t >= o) s[t] += y;
    __syncthreads();
  }
  out[t] = s[t];
}
