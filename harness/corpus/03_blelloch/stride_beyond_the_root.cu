// expect: memory.bounds at 15
// One level too many, as "d <= n << 1" makes it: all threads reach for places behind the tree.

static const task TASK = {EXCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_pairs(in, temp, n);
  for (int offset = 1; offset <= m; offset *= 2) { // wrong
    const int pairs = max(m / (2 * offset), 1); // wrong
  for (int offset = 1; offset < m; offset *= 2) { // twin
    const int pairs = m / (2 * offset); // twin
    __syncthreads();
    const int right = offset * (2 * threadIdx.x + 2) - 1;
    if (threadIdx.x < pairs) temp[right] += temp[right - offset];
  }
  clear_root(temp, m);
  down_sweep(temp, m);
  store_pairs(temp, out, n);
}
