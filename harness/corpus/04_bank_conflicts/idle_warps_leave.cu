// expect: barrier.divergent at 10, output.differs
// Threads without a pair leave the loop, also some of a warp in which others still have one.

static const task TASK = {EXCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_halves<padded>(in, temp, n, m);
  for (int pairs = m / 2, offset = 1; pairs > 0; pairs /= 2, offset *= 2) {
    __syncthreads();
    const int right = offset * (2 * threadIdx.x + 2) - 1;
    if (threadIdx.x >= pairs) break; // wrong
    if (threadIdx.x >= pairs) continue; // twin
    temp[padded(right)] += temp[padded(right - offset)];
  }
  if (threadIdx.x > 0) return; // wrong
  clear_root<padded>(temp, m);
  down_sweep<padded>(temp, m);
  store_halves<padded>(temp, out, n, m);
}
