// expect: output.differs
// padded(a) + offset is not padded(a + offset): across a gap it names the place of another element.

static const task TASK = {EXCLUSIVE, 128, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_halves<padded>(in, temp, n, m);
  for (int pairs = m / 2, offset = 1; pairs > 0; pairs /= 2, offset *= 2) {
    __syncthreads();
    const int right = offset * (2 * threadIdx.x + 2) - 1;
    const int a = padded(right - offset), b = a + offset; // wrong
    const int a = padded(right - offset), b = padded(right); // twin
    if (threadIdx.x < pairs) temp[b] += temp[a];
  }
  clear_root<padded>(temp, m);
  down_sweep<padded>(temp, m);
  store_halves<padded>(temp, out, n, m);
}
