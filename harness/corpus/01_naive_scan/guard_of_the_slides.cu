// expect: output.differs
// Step d adds for k >= 2^d, as two of the texts print it: elements from 2^(d-1) on are left out.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int k = threadIdx.x;
  s[k] = in[k];
  __syncthreads();
  for (int d = 1; 1 << d <= n; d++) {
    const bool active = k >= 1 << d; // wrong
    const bool active = k >= 1 << (d - 1); // twin
    const int left = active ? s[k - (1 << (d - 1))] : 0;
    __syncthreads();
    s[k] += left;
    __syncthreads();
  }
  out[k] = s[k];
}
