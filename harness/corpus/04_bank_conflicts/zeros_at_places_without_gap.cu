// expect: memory.uninit at 19, race.shared
// The tail is filled with 0 at the places without gaps, so that the last ones are never written.

static const task TASK = {EXCLUSIVE, 100, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  const int lo = threadIdx.x, hi = lo + m / 2;
  temp[padded(lo)] = lo < n ? in[lo] : 0;
  __syncthreads(); // wrong
  if (hi < n) // wrong
    temp[padded(hi)] = in[hi]; // wrong
  else // wrong
    temp[hi] = 0; // wrong
  temp[padded(hi)] = hi < n ? in[hi] : 0; // twin
  for (int pairs = m / 2, offset = 1; pairs > 0; pairs /= 2, offset *= 2) {
    __syncthreads();
    const int right = offset * (2 * threadIdx.x + 2) - 1;
    if (threadIdx.x < pairs) temp[padded(right)] += temp[padded(right - offset)];
  }
  clear_root<padded>(temp, m);
  down_sweep<padded>(temp, m);
  store_halves<padded>(temp, out, n, m);
}
