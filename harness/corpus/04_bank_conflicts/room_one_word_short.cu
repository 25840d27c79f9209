// expect: memory.bounds at 10
// padded(m - 1) is the last place, so padded(m - 1) + 1 words are needed.

static const task TASK = {EXCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  const int lo = threadIdx.x, hi = lo + m / 2;
  temp[padded(lo)] = lo < n ? in[lo] : 0;
  temp[padded(hi)] = hi < n ? in[hi] : 0;
  up_sweep<padded>(temp, m);
  clear_root<padded>(temp, m);
  down_sweep<padded>(temp, m);
  store_halves<padded>(temp, out, n, m);
}

static cudaError_t run(const int *in, int *out, int n) {
  return start_padded(scan, in, out, n, padded(255)); // wrong
  return start_padded(scan, in, out, n); // twin
}
