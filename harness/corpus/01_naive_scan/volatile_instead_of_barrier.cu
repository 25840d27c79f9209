// expect: race.shared at 13
// volatile makes the compiler read and write each time. It orders no threads.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[64]; // twin
  __shared__ volatile int s[64]; // wrong
  const int t = threadIdx.x;
  s[t] = t < n ? in[t] : 0;
  __syncthreads();
  for (int offset = 1; offset < 64; offset *= 2) {
    const int left = t >= offset ? s[t - offset] : 0;
    __syncthreads(); // twin
    s[t] += left;
    __syncthreads(); // twin
  }

  if (t < n) out[t] = s[t];
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 64); }
