// expect: memory.bounds at 17
// The launch asks for one buffer; the first step writes the second one.

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
    int x = temp[pin * n + t];
    if (t >= offset) x += temp[pin * n + t - offset];
    temp[pout * n + t] = x;
    __syncthreads();
  }
  out[t] = temp[pout * n + t];
}

static cudaError_t run(const int *in, int *out, int n) {
  const size_t bytes = n * sizeof(int); // wrong
  const size_t bytes = 2 * n * sizeof(int); // twin
  scan<<<1, n, bytes>>>(in, out, n);
  return cudaGetLastError();
}
