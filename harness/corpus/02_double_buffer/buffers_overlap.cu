// expect: race.shared at 14
// The second buffer begins at n - 1 instead of n.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  extern __shared__ int temp[];
  const int t = threadIdx.x;
  int *from = temp, *to = temp + n - 1; // wrong
  int *from = temp, *to = temp + n; // twin
  from[t] = in[t];
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    to[t] = from[t] + (t >= offset ? from[t - offset] : 0);
    int *x = from;
    from = to, to = x;
    __syncthreads();
  }
  out[t] = from[t];
}

static cudaError_t run(const int *in, int *out, int n) {
  return one_block(scan, in, out, n, n, 2 * n * sizeof(int));
}
