// expect: shared_ld_replays above 0
// n >> 5 + n >> 10, as the paper spells it, is (n >> (5 + n)) >> 10, which is 0: no padding at all.

static const task TASK = {EXCLUSIVE, 512, 1};

__host__ __device__ static int place(int i) {
  return i + (i >> (min(5 + i, 31)) >> 10); // a shift by 32 and more would not even be C // wrong
  return i + (i >> 5) + (i >> 10); // twin
}
__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_halves<place>(in, temp, n, m);
  up_sweep<place>(temp, m);
  clear_root<place>(temp, m);
  down_sweep<place>(temp, m);
  store_halves<place>(temp, out, n, m);
}
