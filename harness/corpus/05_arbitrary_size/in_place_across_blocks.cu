// expect: race.global at 9
// Shifts by one while storing, in place: a block overwrites the first element of the next one.

static const task TASK = {EXCLUSIVE, 500, 1};

__global__ void shift(const int *from, int *out, int n) {
  const int i = blockIdx.x * TILE + threadIdx.x;
  const int x = i < n ? from[i] : 0;
  if (i + 1 < n) out[i + 1] = x;
  if (i == 0) out[0] = 0;
}

static cudaError_t run(const int *in, int *out, int n) {
  int *whole;
  MUST(cudaMalloc((void **)&whole, n * sizeof(int)));
  shift<<<tiles_of(n), TILE>>>(out, out, n); // wrong
  MUST(three_launches(scan_tiles, in, whole, n));
  MUST(cudaMemcpy(out, whole, n * sizeof(int), cudaMemcpyDeviceToDevice));
  return cudaFree(whole);
}
