// expect: race.shared at 15
// The last level writes elements that other threads store: t and t + m/2 are not its pair.

static const task TASK = {EXCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  const int t = threadIdx.x;
  load_pairs(in, temp, n);
  up_sweep(temp, m);
  clear_root(temp, m);
  down_sweep(temp, m);
  __syncthreads(); // twin
  out[t] = temp[t];
  out[t + m / 2] = temp[t + m / 2];
}
