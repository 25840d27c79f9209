// expect: memory.bounds at 17
// "for d := log2 n down to 0", as printed: the first level reaches for the element 2m - 1.

static const task TASK = {EXCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_pairs(in, temp, n);
  up_sweep(temp, m);
  clear_root(temp, m);
  for (int offset = m; offset > 0; offset /= 2) { // wrong
  for (int offset = m / 2; offset > 0; offset /= 2) { // twin
    __syncthreads();
    const int right = offset * (2 * threadIdx.x + 2) - 1;
    if (threadIdx.x == 0 || right < m) {
      const int sum = temp[right - offset];
      temp[right - offset] = temp[right];
      temp[right] += sum;
    }
  }
  store_pairs(temp, out, n);
}
