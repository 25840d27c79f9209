// expect: shared_ld_replays above 0
// Padding for hardware with 16 banks.

static const task TASK = {EXCLUSIVE, 512, 1};

__host__ __device__ static int place(int i) {
  return i + (i >> 4); // wrong
  return i + (i >> 5); // twin
}
__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_halves<place>(in, temp, n, m);
  up_sweep<place>(temp, m);
  clear_root<place>(temp, m);
  down_sweep<place>(temp, m);
  store_halves<place>(temp, out, n, m);
}

static cudaError_t run(const int *in, int *out, int n) { return start_padded(scan, in, out, n, 1024); }
