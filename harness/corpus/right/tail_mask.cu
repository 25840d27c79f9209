// expect: nothing
// Lanes without an element stay away from the shuffle; the mask is a ballot taken before.

static const task TASK = {INCLUSIVE, 45, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int w;
  const int t = threadIdx.x, l = t & 31;
  const unsigned m = __ballot_sync(0xffffffff, t < n);
  int x = 0;
  if (t < n) {
    x = in[t];
    for (int o = 1; o < 32; o *= 2) {
      const int y = __shfl_up_sync(m, x, o);
      if (l >= o) x += y;
    }
  }
  if (t == 31) w = x;
  __syncthreads();
  if (t < n) out[t] = x + (t > 31 ? w : 0);
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 64); }
