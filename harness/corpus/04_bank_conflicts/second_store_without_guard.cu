// expect: memory.bounds at 15
// The second element of a thread is stored without a guard.

static const task TASK = {EXCLUSIVE, 100, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_halves<padded>(in, temp, n, m);
  up_sweep<padded>(temp, m);
  clear_root<padded>(temp, m);
  down_sweep<padded>(temp, m);
  const int lo = threadIdx.x, hi = lo + m / 2;
  __syncthreads();
  if (lo < n) out[lo] = temp[padded(lo)];
  out[hi] = temp[padded(hi)]; // wrong
  if (hi < n) out[hi] = temp[padded(hi)]; // twin
}
