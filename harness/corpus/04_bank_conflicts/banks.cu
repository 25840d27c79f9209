// The scan of lab 04 with places of its own, with one mistake at a time.
//
// expect sixteen_banks: shared_ld_replays above 0
// Padding for hardware with 16 banks.
// expect log_of_the_banks_is_six: shared_ld_replays above 0
// 32 banks and LOG_NUM_BANKS 6: one gap for two rounds of the banks.

static const task TASK = {EXCLUSIVE, 512, 1};

__host__ __device__ static int place(int i) {
  return i + (i >> 4); // wrong sixteen_banks
  return i + (i >> 6); // wrong log_of_the_banks_is_six
  return i + (i >> 5); // not sixteen_banks, log_of_the_banks_is_six
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
