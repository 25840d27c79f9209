// expect: race.shared
// A permutation of places that is none: two elements share one.

static const task TASK = {EXCLUSIVE, 128, 1};

__device__ int P(int i) {
  return (i & ~31) | ((i + (i >> 5)) & 15); // wrong
  return (i & ~31) | ((i + (i >> 5)) & 31); // twin
}

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_halves<P>(in, temp, n, m);
  up_sweep<P>(temp, m);
  clear_root<P>(temp, m);
  down_sweep<P>(temp, m);
  store_halves<P>(temp, out, n, m);
}
