// expect: nothing
// A cooperative launch with barriers of the grid.

static const task TASK = {INCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int *p) {
  auto g = cg::this_grid();
  const int i = blockIdx.x * 64 + threadIdx.x, x = block_scan(in[i]);
  if (threadIdx.x == 63) p[blockIdx.x] = x;
  g.sync();
  int b = 0;
  for (int k = 0; k < blockIdx.x; k++) b += p[k];
  g.sync();
  if (threadIdx.x == 0) p[blockIdx.x] = b;
  g.sync();
  out[i] = x + p[blockIdx.x];
}

static cudaError_t run(const int *in, int *out, int n) {
  return with_scratch(scan, 4, 64, 16, in, out, n, true);
}
