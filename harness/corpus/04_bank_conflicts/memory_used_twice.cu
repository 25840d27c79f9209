// expect: race.shared at 14
// The array is used for something else when the first use is over for this thread, not for all.

static const task TASK = {EXCLUSIVE, 128, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_halves<padded>(in, temp, n, m);
  up_sweep<padded>(temp, m);
  clear_root<padded>(temp, m);
  down_sweep<padded>(temp, m);
  store_halves<padded>(temp, out, n, m);
  __syncthreads(); // twin
  temp[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0 && temp[5] < 0) out[0] = 1;
}
