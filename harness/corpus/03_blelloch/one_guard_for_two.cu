// expect: memory.bounds at 16
// Two elements a thread, one guard: with an odd n the second one of the last thread lies behind the end.

static const task TASK = {EXCLUSIVE, 51, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_pairs(in, temp, n);
  up_sweep(temp, m);
  clear_root(temp, m);
  down_sweep(temp, m);
  const int i = 2 * threadIdx.x; // wrong
  __syncthreads(); // wrong
  if (i < n) { // wrong
    out[i] = temp[i]; // wrong
    out[i + 1] = temp[i + 1]; // wrong
  } // wrong
  store_pairs(temp, out, n); // twin
}
