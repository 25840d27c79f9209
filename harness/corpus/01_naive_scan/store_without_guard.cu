// expect: memory.bounds at 17
// Threads that were only there to fill up the last warp write behind the end of the output.

static const task TASK = {INCLUSIVE, 50, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t < n ? in[t] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const int left = t >= offset ? s[t - offset] : 0;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  out[t] = s[t]; // wrong
  if (t < n) out[t] = s[t]; // twin
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 64); }
