// expect: race.shared at 18
// The swap of the two buffers is missing: every step reads and writes the same one.

static const task TASK = {EXCLUSIVE, 96, 1};

__global__ void scan(const int *in, int *out, int n) {
  extern __shared__ int temp[];
  const int t = threadIdx.x;
  int pout = 0;
  temp[t] = t > 0 ? in[t - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const int pin = pout; // wrong
    const int pin = pout; // twin
    pout = 1 - pout; // twin
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
