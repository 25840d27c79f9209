// expect: memory.bounds at 19
// One level too many, as "d <= n << 1" makes it: all threads reach for places behind the tree.
#include "tree.cuh"

static const task TASK = {EXCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_pairs(in, temp, n);
#ifndef SL_TWIN
  for (int offset = 1; offset <= m; offset *= 2) {
    const int pairs = max(m / (2 * offset), 1);
#else
  for (int offset = 1; offset < m; offset *= 2) {
    const int pairs = m / (2 * offset);
#endif
    __syncthreads();
    const int right = offset * (2 * threadIdx.x + 2) - 1;
    if (threadIdx.x < pairs) temp[right] += temp[right - offset];
  }
  clear_root(temp, m);
  down_sweep(temp, m);
  store_pairs(temp, out, n);
}

static cudaError_t run(const int *in, int *out, int n) { return start_tree(scan, in, out, n); }
