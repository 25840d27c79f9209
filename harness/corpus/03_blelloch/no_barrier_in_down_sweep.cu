// expect: race.shared at 17
// The down-sweep has no barriers: a thread takes a pair apart that another one has not handed down yet.

static const task TASK = {EXCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_pairs(in, temp, n);
  up_sweep(temp, m);
  clear_root(temp, m);
  __syncthreads();
  for (int pairs = 1, offset = m / 2; pairs < m; pairs *= 2, offset /= 2) {
    const int right = offset * (2 * threadIdx.x + 2) - 1;
    if (threadIdx.x < pairs) {
      const int sum = temp[right - offset];
      temp[right - offset] = temp[right];
      temp[right] += sum;
    }
    __syncthreads(); // twin
  }
  store_pairs(temp, out, n);
}
