// expect: memory.misaligned at 14
// Stores pairs from the second element on: out + 1 is not at a multiple of 8 bytes.

static const task TASK = {EXCLUSIVE, 64, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  const int i = 2 * threadIdx.x;
  load_pairs(in, temp, n);
  up_sweep(temp, m);
  clear_root(temp, m);
  down_sweep(temp, m);
  __syncthreads();
  if (i + 2 < n) *reinterpret_cast<int2 *>(out + i + 1) = make_int2(temp[i + 1], temp[i + 2]); // wrong
  if (i == 0) out[0] = temp[0], out[n - 1] = temp[n - 1]; // wrong
  *reinterpret_cast<int2 *>(out + i) = make_int2(temp[i], temp[i + 1]); // twin
}
