// expect: memory.uninit at 16
// The tree has m leaves; those past the end of the input are added up, too, and nobody has set them.

static const task TASK = {EXCLUSIVE, 50, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  const int i = 2 * threadIdx.x;
  if (i < n) temp[i] = in[i]; // wrong
  if (i + 1 < n) temp[i + 1] = in[i + 1]; // wrong
  temp[i] = i < n ? in[i] : 0; // twin
  temp[i + 1] = i + 1 < n ? in[i + 1] : 0; // twin
  for (int pairs = m / 2, offset = 1; pairs > 0; pairs /= 2, offset *= 2) {
    __syncthreads();
    const int right = offset * (2 * threadIdx.x + 2) - 1;
    if (threadIdx.x < pairs) temp[right] += temp[right - offset];
  }
  clear_root(temp, m);
  down_sweep(temp, m);
  store_pairs(temp, out, n);
}
