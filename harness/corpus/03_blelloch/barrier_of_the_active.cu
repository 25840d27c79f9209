// expect: barrier.divergent at 11, race.shared
// Only the threads that have a pair at this level come to its barrier.

static const task TASK = {EXCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_pairs(in, temp, n);
  for (int pairs = m / 2, offset = 1; pairs > 0; pairs /= 2, offset *= 2) {
    if (threadIdx.x < pairs) { // wrong
      __syncthreads(); // wrong
      const int right = offset * (2 * threadIdx.x + 2) - 1; // wrong
      temp[right] += temp[right - offset]; // wrong
    } // wrong
    __syncthreads(); // twin
    const int right = offset * (2 * threadIdx.x + 2) - 1; // twin
    if (threadIdx.x < pairs) temp[right] += temp[right - offset]; // twin
  }
  clear_root(temp, m);
  down_sweep(temp, m);
  store_pairs(temp, out, n);
}

static cudaError_t run(const int *in, int *out, int n) { return start_tree(scan, in, out, n); }
