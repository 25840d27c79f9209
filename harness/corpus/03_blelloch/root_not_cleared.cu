// expect: output.differs
// Nobody replaces the root by 0: everything is too great by the sum of all elements.

static const task TASK = {EXCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_pairs(in, temp, n);
  up_sweep(temp, m);
  clear_root(temp, m); // twin
  down_sweep(temp, m);
  store_pairs(temp, out, n);
}
