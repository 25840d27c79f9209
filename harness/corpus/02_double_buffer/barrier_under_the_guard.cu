// expect: barrier.divergent at 19
// The barrier stands inside the guard against threads without an element.

static const task TASK = {EXCLUSIVE, 50, 1};

__global__ void scan(const int *in, int *out, int n) {
  extern __shared__ int temp[];
  const int t = threadIdx.x;
  int pout = 0;
  if (t < n) temp[t] = t > 0 ? in[t - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    const int pin = pout;
    pout = 1 - pout;
    if (t < n) {
      int x = temp[pin * n + t];
      if (t >= offset) x += temp[pin * n + t - offset];
      temp[pout * n + t] = x;
      __syncthreads(); // wrong
    }
    __syncthreads(); // twin
  }
  if (t < n) out[t] = temp[pout * n + t];
}

static cudaError_t run(const int *in, int *out, int n) {
  return one_block(scan, in, out, n, 64, 2 * n * sizeof(int));
}
