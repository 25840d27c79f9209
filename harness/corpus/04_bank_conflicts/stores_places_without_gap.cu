// expect: memory.uninit at 14
// The result is read at the places that the elements had without gaps.

static const task TASK = {EXCLUSIVE, 128, 1};

__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_halves<padded>(in, temp, n, m);
  up_sweep<padded>(temp, m);
  clear_root<padded>(temp, m);
  down_sweep<padded>(temp, m);
  const int lo = threadIdx.x, hi = lo + m / 2; // wrong
  __syncthreads(); // wrong
  if (lo < n) out[lo] = temp[lo]; // wrong
  if (hi < n) out[hi] = temp[hi]; // wrong
  store_halves<padded>(temp, out, n, m); // twin
}
