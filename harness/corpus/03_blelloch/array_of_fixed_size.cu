// expect: memory.bounds at 10
// The array in shared memory is declared for 64 elements, whatever n is.

static const task TASK = {EXCLUSIVE, 100, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  __shared__ int temp[64]; // wrong
  __shared__ int temp[128]; // twin
  const int i = 2 * threadIdx.x;
  temp[i] = i < n ? in[i] : 0;
  temp[i + 1] = i + 1 < n ? in[i + 1] : 0;
  up_sweep(temp, m);
  clear_root(temp, m);
  down_sweep(temp, m);
  store_pairs(temp, out, n);
}

static cudaError_t run(const int *in, int *out, int n) {
  scan<<<1, 64>>>(in, out, n, 128);
  return cudaGetLastError();
}
