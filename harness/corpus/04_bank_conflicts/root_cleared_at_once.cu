// expect: race.shared at 11
// The last thread, idle since the first level, clears the root while another one still adds to it.

static const task TASK = {EXCLUSIVE, 128, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_halves<padded>(in, temp, n, m);
  up_sweep<padded>(temp, m);
  __syncthreads(); // twin
  if (threadIdx.x == blockDim.x - 1) temp[padded(m - 1)] = 0;
  down_sweep<padded>(temp, m);
  store_halves<padded>(temp, out, n, m);
}
