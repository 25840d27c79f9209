// expect: memory.bounds at 12
// The product hides the value of s[t - offset] for t < offset, but the word is read all the same.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const int left = (t >= offset) * s[t - offset]; // wrong
    const int left = t >= offset ? s[t - offset] : 0; // twin
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  out[t] = s[t];
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, n); }
