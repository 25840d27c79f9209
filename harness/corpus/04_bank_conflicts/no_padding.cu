// expect: shared_ld_replays above 0 at 17
// The lab before: neighbouring threads meet in one bank from the first level on.

static const task TASK = {EXCLUSIVE, 512, 1};

__host__ __device__ static int unpadded(int i) {
  return i; // wrong
  return i + (i >> 5); // twin
}
__global__ void scan(const int *in, int *out, int n, int m) {
  extern __shared__ int temp[];
  load_halves<unpadded>(in, temp, n, m);
  for (int pairs = m / 2, offset = 1; pairs > 0; pairs /= 2, offset *= 2) {
    __syncthreads();
    const int right = offset * (2 * threadIdx.x + 2) - 1;
    const int a = unpadded(right - offset), b = unpadded(right);
    if (threadIdx.x < pairs) temp[b] += temp[a];
  }
  clear_root<unpadded>(temp, m);
  down_sweep<unpadded>(temp, m);
  store_halves<unpadded>(temp, out, n, m);
}
