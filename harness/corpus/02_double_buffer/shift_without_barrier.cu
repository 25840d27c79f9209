// expect: race.shared at 18
// The sums are stored one to the right, and the last step has no barrier: the left neighbour may still write.

static const task TASK = {EXCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int temp[2][64];
  const int t = threadIdx.x;
  int from = 0;
  temp[0][t] = in[t];
  __syncthreads();
  for (int offset = 1; offset < 64; offset *= 2) {
    temp[1 - from][t] = temp[from][t] + (t >= offset ? temp[from][t - offset] : 0);
    from = 1 - from;
    if (2 * offset < 64) __syncthreads(); // wrong
    __syncthreads(); // twin
  }
  out[t] = t ? temp[from][t - 1] : 0;
}

static cudaError_t run(const int *in, int *out, int n) { return one_block(scan, in, out, n, 64); }
