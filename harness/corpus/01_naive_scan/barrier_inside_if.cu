// expect: barrier.divergent at 14
// The two barriers of a step stand inside the if, so threads that have nothing to add never reach them.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    if (t >= offset) { // wrong
      const int left = s[t - offset]; // wrong
      __syncthreads(); // wrong
      s[t] += left; // wrong
      __syncthreads(); // wrong
    } // wrong
    const int left = t >= offset ? s[t - offset] : 0; // twin
    __syncthreads(); // twin
    s[t] += left; // twin
    __syncthreads(); // twin
  }
  out[t] = s[t];
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, n); }
