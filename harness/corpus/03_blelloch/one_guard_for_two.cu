// expect: memory.bounds at 18
// Two elements a thread, one guard: with an odd n the second one of the last thread lies behind the end.
#include "tree.cuh"

static const task TASK = {EXCLUSIVE, 51, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_pairs(in, temp, n);
  up_sweep(temp, m);
  clear_root(temp, m);
  down_sweep(temp, m);
#ifndef SL_TWIN
  const int i = 2 * threadIdx.x;
  __syncthreads();
  if (i < n) {
    out[i] = temp[i];
    out[i + 1] = temp[i + 1];
  }
#else
  store_pairs(temp, out, n);
#endif
}

static cudaError_t run(const int *in, int *out, int n) { return start_tree(scan, in, out, n); }
