// expect: race.shared at 17
// The barrier of the warp begins at 32 pairs; their summands were written by two warps.

static const task TASK = {EXCLUSIVE, 128, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_pairs(in, temp, n);
  int offset = 1;
  for (int pairs = m / 2; pairs > 0; pairs /= 2, offset *= 2) {
    if (pairs > 32) // wrong
    if (pairs >= 32) // twin
      __syncthreads();
    else
      __syncwarp();
    const int right = offset * (2 * threadIdx.x + 2) - 1;
    if (threadIdx.x < pairs) temp[right] += temp[right - offset];
  }
  clear_root(temp, m);
  down_sweep(temp, m);
  store_pairs(temp, out, n);
}
