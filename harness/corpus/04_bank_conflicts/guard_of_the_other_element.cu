// expect: memory.bounds at 10
// The second element is loaded under the guard of the first one.

static const task TASK = {EXCLUSIVE, 100, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  const int lo = threadIdx.x, hi = lo + m / 2;
  temp[padded(lo)] = lo < n ? in[lo] : 0;
  temp[padded(hi)] = lo < n ? in[hi] : 0; // wrong
  temp[padded(hi)] = hi < n ? in[hi] : 0; // twin
  up_sweep<padded>(temp, m);
  clear_root<padded>(temp, m);
  down_sweep<padded>(temp, m);
  store_halves<padded>(temp, out, n, m);
}
