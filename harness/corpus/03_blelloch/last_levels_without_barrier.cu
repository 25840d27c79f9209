// expect: race.shared at 13
// "The last 32 pairs are one warp's and need no barrier": the lanes of a warp do not run in lock step.

static const task TASK = {EXCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_pairs(in, temp, n);
  for (int pairs = m / 2, offset = 1; pairs > 0; pairs /= 2, offset *= 2) {
    if (pairs >= 32) __syncthreads(); // wrong
    __syncthreads(); // twin
    const int right = offset * (2 * threadIdx.x + 2) - 1;
    if (threadIdx.x < pairs) temp[right] += temp[right - offset];
  }
  clear_root(temp, m);
  down_sweep(temp, m);
  store_pairs(temp, out, n);
}

static cudaError_t run(const int *in, int *out, int n) { return start_tree(scan, in, out, n); }
