// expect: nothing
// Thread 0 is finished at once, and leaves the barriers to the others: ended threads do not count.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t < n ? in[t] : 0;
  if (t == 0) {
    out[0] = s[0];
    return;
  }
  for (int offset = 1; offset < 64; offset *= 2) {
    __syncthreads();
    const int left = t >= offset ? s[t - offset] : 0;
    __syncthreads();
    s[t] += left;
  }
  if (t < n) out[t] = s[t];
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 64); }
