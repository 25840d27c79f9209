// expect: output.differs
// n / TILE tiles: the rest of the array is nobody's.

static const task TASK = {EXCLUSIVE, 500, 1};

static cudaError_t run(const int *in, int *out, int n) {
  const int tiles = n / TILE; // wrong
  const int tiles = tiles_of(n); // twin
  int *sums;
  MUST(cudaMalloc((void **)&sums, tiles * sizeof(int)));
  scan_tiles<<<tiles, TILE>>>(in, out, sums, n);
  scan_tiles<<<1, TILE>>>(sums, sums, nullptr, tiles);
  add_offsets<<<tiles, TILE>>>(out, sums, n);
  return cudaFree(sums);
}
