// expect: race.shared at 11
// The last thread clears the root while thread 0 may still add to it.

static const task TASK = {EXCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_pairs(in, temp, n);
  up_sweep(temp, m);
  __syncthreads(); // twin
  if (threadIdx.x == blockDim.x - 1) temp[m - 1] = 0;
  down_sweep(temp, m);
  store_pairs(temp, out, n);
}
