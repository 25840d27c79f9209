// expect: memory.uninit at 14
// Threads behind the end load nothing, but they add: they read words that nobody has written.

static const task TASK = {INCLUSIVE, 50, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t < n) s[t] = in[t];
  else // twin
    s[t] = 0; // twin
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const int left = t >= offset ? s[t - offset] : 0;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  if (t < n) out[t] = s[t];
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 64); }
