// expect: memory.bounds at 13
// threadIdx.x - offset is unsigned: it is never below 0, but far beyond the array.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t < n ? in[t] : 0;
  __syncthreads();
  for (int offset = 1; offset < 64; offset *= 2) {
    int left = 0;
    if (threadIdx.x - offset >= 0) left = s[threadIdx.x - offset]; // wrong
    if (threadIdx.x >= offset) left = s[threadIdx.x - offset]; // twin
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }

  if (t < n) out[t] = s[t];
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 64); }
