// expect: race.shared at 18
// The bound of the loop lies in shared memory; one thread makes it smaller, and others see it early or late.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int temp[2][64];
  __shared__ volatile int left;
  const int t = threadIdx.x;
  int from = 0;
  temp[0][t] = in[t];
  if (t == 0) left = n;
  __syncthreads();
  for (int offset = 1; left > 1; offset *= 2) {
    __syncthreads(); // twin
    temp[1 - from][t] = temp[from][t] + (t >= offset ? temp[from][t - offset] : 0);
    from = 1 - from;
    if (t == 40) left = left / 2;
    __syncthreads();
  }
  out[t] = temp[from][t];
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 64); }
