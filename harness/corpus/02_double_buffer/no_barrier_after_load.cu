// expect: race.shared at 16
// The first step reads what the neighbour loads, and no barrier is between the two.

static const task TASK = {EXCLUSIVE, 96, 1};

__global__ void scan(const int *in, int *out, int n) {
  extern __shared__ int temp[];
  const int t = threadIdx.x;
  int pout = 0;
  temp[t] = t > 0 ? in[t - 1] : 0;
  __syncthreads(); // twin
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
