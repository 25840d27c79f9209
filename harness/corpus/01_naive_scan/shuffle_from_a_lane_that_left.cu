// expect: barrier.mask at 15
// The mask is right, the source lane is not in it: its value is undefined.

static const task TASK = {INCLUSIVE, 20, 1};

__global__ void scan(const int *in, int *out, int n) {
  const int t = threadIdx.x;
  if (t >= n) return;
  const unsigned mask = (1u << n) - 1;
  int x = in[t];
  for (int offset = 1; offset < 32; offset *= 2) {
    const int left = __shfl_up_sync(mask, x, offset);
    if (t >= offset) x += left;
  }
  const int total = __shfl_sync(mask, x, 31); // wrong
  const int total = __shfl_sync(mask, x, n - 1); // twin
  out[t] = t == n - 1 ? total : x;
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 32); }
