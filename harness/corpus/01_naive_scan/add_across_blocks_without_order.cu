// expect: race.global at 10
// Block 1 reads the last sum of block 0 in the same launch.

static const task TASK = {INCLUSIVE, 128, 1};

__global__ void scan(const int *in, int *out, int n, int first) {
  const int b = blockIdx.x + first;
  int sum = 0;
  if (threadIdx.x) return;
  if (b) sum = out[64 * b - 1];
  for (int k = 64 * b; k < 64 * b + 64; k++) out[k] = sum += in[k];
}

static cudaError_t run(const int *in, int *out, int n) {
  scan<<<1, 64>>>(in, out, n, 0); // twin
  scan<<<1, 64>>>(in, out, n, 1); // twin
  scan<<<2, 64>>>(in, out, n, 0); // wrong
  return cudaGetLastError();
}
