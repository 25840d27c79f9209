// expect: race.shared, memory.uninit at 16
// Block A as printed: the gap of element t + m/2 is computed from t. Elements land in the wrong places.

static const task TASK = {EXCLUSIVE, 128, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  const int lo = threadIdx.x, hi = lo + m / 2;
  const int gap_lo = lo >> 5, gap_hi = lo >> 5; // wrong
  const int gap_lo = lo >> 5, gap_hi = hi >> 5; // twin
  temp[lo + gap_lo] = lo < n ? in[lo] : 0;
  temp[hi + gap_hi] = hi < n ? in[hi] : 0;
  for (int pairs = m / 2, offset = 1; pairs > 0; pairs /= 2, offset *= 2) {
    __syncthreads();
    const int right = offset * (2 * threadIdx.x + 2) - 1;
    if (threadIdx.x < pairs) temp[padded(right)] += temp[padded(right - offset)];
  }
  clear_root<padded>(temp, m);
  down_sweep<padded>(temp, m);
  store_halves<padded>(temp, out, n, m);
}
