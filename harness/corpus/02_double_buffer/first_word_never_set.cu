// expect: memory.uninit at 17
// Element t goes to place t + 1, and nobody puts the 0 in front.

static const task TASK = {EXCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  extern __shared__ int temp[];
  const int t = threadIdx.x;
  int pout = 0;
  if (t + 1 < n) temp[t + 1] = in[t];
  if (t == 0) temp[0] = 0; // twin
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const int pin = pout;
    pout = 1 - pout;
    int x = temp[pin * n + t];
    if (t >= offset) x += temp[pin * n + t - offset];
    temp[pout * n + t] = x;
    __syncthreads();
  }
  out[t] = temp[pout * n + t];
}

static cudaError_t run(const int *in, int *out, int n) {
  return one_block(scan, in, out, n, n, 2 * n * sizeof(int));
}
