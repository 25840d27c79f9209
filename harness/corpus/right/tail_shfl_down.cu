// expect: nothing
// Shuffles reach lanes that have left, and their values are thrown away.

static const task TASK = {INCLUSIVE, 20, 1};

__global__ void scan(const int *in, int *out, int n) {
  const int t = threadIdx.x;
  if (t >= n) return;
  const unsigned m = (1u << n) - 1;
  int x = in[t], total = x;
  for (int o = 1; o < 32; o *= 2) {
    const int y = __shfl_up_sync(m, x, o);
    if (t >= o) x += y;
  }
  for (int o = 16; o; o /= 2) {
    const int y = __shfl_down_sync(m, total, o);
    if (t + o < n) total += y;
  }
  total = __shfl_sync(m, total, 0);
  out[t] = t == n - 1 ? total : x;
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 32); }
