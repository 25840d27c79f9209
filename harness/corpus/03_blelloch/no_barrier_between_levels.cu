// expect: race.shared at 14
// Only one barrier before the up-sweep: a level reads sums of the level before that may not be there.

static const task TASK = {EXCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  const int t = threadIdx.x;
  load_pairs(in, temp, n);
  __syncthreads();
  int offset = 1;
  for (int pairs = m / 2; pairs > 0; pairs /= 2, offset *= 2) {
    const int right = offset * (2 * t + 2) - 1;
    if (t < pairs) temp[right] += temp[right - offset];
    __syncthreads(); // twin
  }
  clear_root(temp, m);
  down_sweep(temp, m);
  store_pairs(temp, out, n);
}
