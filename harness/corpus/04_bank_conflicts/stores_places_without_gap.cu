// expect: memory.uninit at 16
// The result is read at the places that the elements had without gaps.
#include "padded.cuh"

static const task TASK = {EXCLUSIVE, 128, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_halves<padded>(in, temp, n, m);
  up_sweep<padded>(temp, m);
  clear_root<padded>(temp, m);
  down_sweep<padded>(temp, m);
#ifndef SL_TWIN
  const int lo = threadIdx.x, hi = lo + m / 2;
  __syncthreads();
  if (lo < n) out[lo] = temp[lo];
  if (hi < n) out[hi] = temp[hi];
#else
  store_halves<padded>(temp, out, n, m);
#endif
}

static cudaError_t run(const int *in, int *out, int n) { return start_padded(scan, in, out, n); }
