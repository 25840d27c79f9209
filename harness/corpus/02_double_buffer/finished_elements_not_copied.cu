// expect: memory.uninit at 15
// An element without a left neighbour at this distance is finished, but it has to move, too.

static const task TASK = {EXCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  extern __shared__ int temp[];
  const int t = threadIdx.x;
  int pout = 0;
  temp[t] = t > 0 ? in[t - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const int pin = pout;
    pout = 1 - pout;
    if (t >= offset) temp[pout * n + t] = temp[pin * n + t] + temp[pin * n + t - offset];
    else // twin
      temp[pout * n + t] = temp[pin * n + t]; // twin
    __syncthreads();
  }
  out[t] = temp[pout * n + t];
}

static cudaError_t run(const int *in, int *out, int n) {
  return one_block(scan, in, out, n, n, 2 * n * sizeof(int));
}
