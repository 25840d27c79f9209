// expect: host.error, output.differs
// A block of 2048 threads is one that cannot start, and nobody asks whether it did.

static const task TASK = {EXCLUSIVE, 500, 1};

static cudaError_t run(const int *in, int *out, int n) {
  const int tiles = tiles_of(n);
  int *sums;
  MUST(cudaMalloc((void **)&sums, tiles * sizeof(int)));
  scan_tiles<<<tiles, TILE>>>(in, out, sums, n);
  scan_tiles<<<1, TILE>>>(sums, sums, nullptr, tiles);
  add_offsets<<<1, 2048>>>(out, sums, n); // wrong
  add_offsets<<<tiles, TILE>>>(out, sums, n); // twin
  return cudaFree(sums);
}
