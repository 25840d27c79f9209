// expect: memory.bounds at 14, race.shared at 14
// Both the index and the place go through padded(): the second time past the end of the memory.

static const task TASK = {EXCLUSIVE, 1024, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_halves<padded>(in, temp, n, m);
  for (int pairs = m / 2, offset = 1; pairs > 0; pairs /= 2, offset *= 2) {
    __syncthreads();
    const int right = offset * (2 * threadIdx.x + 2) - 1;
    const int b = padded(padded(right)), a = padded(right - offset); // wrong
    const int b = padded(right), a = padded(right - offset); // twin
    if (threadIdx.x < pairs) temp[b] += temp[a];
  }
  clear_root<padded>(temp, m);
  down_sweep<padded>(temp, m);
  store_halves<padded>(temp, out, n, m);
}
