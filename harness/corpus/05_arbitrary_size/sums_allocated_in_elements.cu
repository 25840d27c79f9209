// expect: memory.bounds
// cudaMalloc wants bytes: there is room for a quarter of the sums.

static const task TASK = {EXCLUSIVE, 500, 1};

static cudaError_t run(const int *in, int *out, int n) {
  const int tiles = tiles_of(n);
  int *sums;
  MUST(cudaMalloc((void **)&sums, tiles)); // wrong
  MUST(cudaMalloc((void **)&sums, tiles * sizeof(int))); // twin
  scan_tiles<<<tiles, TILE>>>(in, out, sums, n);
  scan_tiles<<<1, TILE>>>(sums, sums, nullptr, tiles);
  add_offsets<<<tiles, TILE>>>(out, sums, n);
  return cudaFree(sums);
}
