// expect: output.differs
// Threads without a pair return. The barriers do not wait for them, but the down-sweep lacks them.

static const task TASK = {EXCLUSIVE, 128, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_pairs(in, temp, n);
  for (int pairs = m / 2, offset = 1; pairs > 0; pairs /= 2, offset *= 2) {
    __syncthreads();
    if (threadIdx.x >= pairs) return; // wrong
    if (threadIdx.x >= pairs) continue; // twin
    const int right = offset * (2 * threadIdx.x + 2) - 1;
    temp[right] += temp[right - offset];
  }
  clear_root(temp, m);
  down_sweep(temp, m);
  store_pairs(temp, out, n);
}
