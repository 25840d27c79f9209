// expect: barrier.divergent at 19, memory.uninit
// Every thread makes as many steps as its own element needs, so they meet different numbers of barriers.

static const task TASK = {EXCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int temp[128];
  const int t = threadIdx.x;
  int pout = 0;
  temp[t] = t > 0 ? in[t - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset <= t; offset *= 2) { // wrong
  for (int offset = 1; offset < n; offset *= 2) { // twin
    const int pin = pout;
    pout = 1 - pout;
    int x = temp[pin * n + t];
    if (t >= offset) x += temp[pin * n + t - offset];
    temp[pout * n + t] = x;
    __syncthreads();
  }
  out[t] = temp[pout * n + t];
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, n); }
