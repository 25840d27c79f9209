// expect: race.shared at 14
// A barrier only at levels that cross a gap: a gap changes the bank of an element, not who needs it.

static const task TASK = {EXCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_halves<padded>(in, temp, n, m);
  __syncthreads();
  for (int pairs = m / 2, offset = 1; pairs > 0; pairs /= 2, offset *= 2) {
    if (offset >= 32) __syncthreads(); // wrong
    __syncthreads(); // twin
    const int right = offset * (2 * threadIdx.x + 2) - 1;
    if (threadIdx.x < pairs) temp[padded(right)] += temp[padded(right - offset)];
  }
  clear_root<padded>(temp, m);
  down_sweep<padded>(temp, m);
  store_halves<padded>(temp, out, n, m);
}
