// expect: race.shared at 15, memory.uninit
// The barrier stands at the end of a level: none is left between the load and the first level.

static const task TASK = {EXCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  const int t = threadIdx.x;
  temp[t] = in[t];
  temp[t + m / 2] = in[t + m / 2];
  __syncthreads(); // twin
  int offset = 1;
  for (int pairs = m / 2; pairs > 0; pairs /= 2, offset *= 2) {
    const int right = offset * (2 * t + 2) - 1;
    if (t < pairs) temp[right] += temp[right - offset];
    __syncthreads();
  }
  clear_root(temp, m);
  down_sweep(temp, m);
  store_pairs(temp, out, n);
}
