// expect: nothing
// A warp looks back at 32 tiles at a time.

static const task TASK = {INCLUSIVE, 512, 1};

__global__ void scan(const int *in, int *out, int n, int *p) {
  __shared__ int before, tile;
  volatile int *flag = p, *agg = p + 32, *pre = p + 64;
  if (threadIdx.x == 0) tile = atomicAdd(p + 127, 1);
  __syncthreads();
  const int i = tile * 64 + threadIdx.x, x = block_scan(in[i]);
  if (threadIdx.x == 63) {
    if (tile) {
      agg[tile] = x;
      __threadfence();
      flag[tile] = 1;
    } else {
      pre[0] = x;
      __threadfence();
      flag[0] = 2;
    }
  }
  if (threadIdx.x < 32) {
    int sum = 0;
    for (int base = tile - 1; base >= 0; base -= 32) {
      const int q = base - (int)threadIdx.x;
      int f = 2, v = 0;
      if (q >= 0) {
        do f = flag[q];
        while (f == 0);
      }
      __threadfence();
      if (q >= 0) v = f == 2 ? pre[q] : agg[q];
      const unsigned done = __ballot_sync(0xffffffff, f == 2);
      const int first = done ? __ffs(done) - 1 : 31;
      if (threadIdx.x > first) v = 0;
      for (int o = 16; o; o /= 2) v += __shfl_xor_sync(0xffffffff, v, o);
      sum += v;
      if (done) break;
    }
    if (threadIdx.x == 0) before = sum;
  }
  __syncthreads();
  if (threadIdx.x == 63 && tile) {
    pre[tile] = before + x;
    __threadfence();
    flag[tile] = 2;
  }
  out[i] = before + x;
}

static cudaError_t run(const int *in, int *out, int n) { return with_scratch(scan, 8, 64, 128, in, out, n); }
