// expect: race.shared at 13
// Segmented scan: the sums wait for a barrier, the heads of the segments do not.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int sum[64], head[64];
  const int t = threadIdx.x;
  sum[t] = in[t], head[t] = t == 0;
  __syncthreads();
  for (int o = 1; o < 64; o *= 2) {
    const int left = t >= o && !head[t] ? sum[t - o] : 0, h = t >= o ? head[t - o] : 0;
    head[t] |= h; // wrong
    __syncthreads(); // wrong
    __syncthreads(); // twin
    head[t] |= h; // twin
    sum[t] += left;
    __syncthreads();
  }
  out[t] = sum[t];
}
