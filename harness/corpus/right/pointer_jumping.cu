// expect: nothing
// Blocks walk along chains that others shorten at the same time, and launch by launch: no element is a flag,
// though a loop ends at the value that is there.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void begin(int *up) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  up[i] = blockIdx.x ? i - 64 : i % 8 ? i - 1 : i;
}
__global__ void shorten(volatile int *up) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  int root = up[i];
  while (up[root] != root) root = up[root];
  up[i] = root;
}
__global__ void scan(const int *a, const int *up, int *b) {
  const int t = threadIdx.x, x = block_scan(a[t]);
  b[t] = x + up[64 + t] - t / 8 * 8;
}

static cudaError_t run(const int *in, int *out, int n) {
  int *up;
  cudaMalloc(&up, 2 * n * sizeof *up);
  begin<<<2, n>>>(up);
  for (int k = 0; k < 3; k++) shorten<<<2, n>>>(up);
  scan<<<1, n>>>(in, up, out);
  cudaFree(up);
  return cudaGetLastError();
}
