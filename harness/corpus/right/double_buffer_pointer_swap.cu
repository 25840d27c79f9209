// expect: nothing
// Two buffers behind pointers that every thread swaps for itself.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int a[64], b[64];
  int *f = a, *g = b;
  const int t = threadIdx.x;
  f[t] = in[t];
  __syncthreads();
  for (int o = 1; o < 64; o *= 2) {
    g[t] = f[t] + (t >= o ? f[t - o] : 0);
    __syncthreads();
    int *x = f;
    f = g;
    g = x;
  }
  out[t] = f[t];
}
