// expect: memory.bounds at 10
// Shifting right by one, thread 0 reads the element before the first one.

static const task TASK = {EXCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  extern __shared__ int temp[];
  const int t = threadIdx.x;
  int pout = 0;
  temp[t] = in[t - 1]; // wrong
  if (t == 0) temp[t] = 0; // wrong
  temp[t] = t > 0 ? in[t - 1] : 0; // twin
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
