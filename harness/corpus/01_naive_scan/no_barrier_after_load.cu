// expect: race.shared at 12
// No barrier between the load and the first step: the left neighbour may not have loaded its element.

static const task TASK = {INCLUSIVE, 96, 1};

__global__ void scan(const int *in, int *out, int n) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads(); // twin
  for (int offset = 1; offset < n; offset *= 2) {
    const int left = t >= offset ? s[t - offset] : 0;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  out[t] = s[t];
}

static cudaError_t run(const int *in, int *out, int n) {
  return one_block(scan, in, out, n, n, n * sizeof(int));
}
