// expect: output.differs
// The root is cleared where it was before padding.

static const task TASK = {EXCLUSIVE, 128, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_halves<padded>(in, temp, n, m);
  up_sweep<padded>(temp, m);
  if (threadIdx.x == 0) temp[m - 1] = 0; // wrong
  if (threadIdx.x == 0) temp[padded(m - 1)] = 0; // twin
  down_sweep<padded>(temp, m);
  store_halves<padded>(temp, out, n, m);
}
