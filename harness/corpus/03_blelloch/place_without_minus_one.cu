// expect: memory.bounds at 13
// offset * (2t + 2) is a count; the place of the last of so many elements is one less.

static const task TASK = {EXCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_pairs(in, temp, n);
  for (int pairs = m / 2, offset = 1; pairs > 0; pairs /= 2, offset *= 2) {
    __syncthreads();
    const int right = offset * (2 * threadIdx.x + 2); // wrong
    const int right = offset * (2 * threadIdx.x + 2) - 1; // twin
    if (threadIdx.x < pairs) temp[right] += temp[right - offset];
  }
  clear_root(temp, m);
  down_sweep(temp, m);
  store_pairs(temp, out, n);
}

static cudaError_t run(const int *in, int *out, int n) { return start_tree(scan, in, out, n); }
