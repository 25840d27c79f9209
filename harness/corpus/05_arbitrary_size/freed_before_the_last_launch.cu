// expect: memory.freed
// The sums are given back before the launch that adds them.

static const task TASK = {EXCLUSIVE, 500, 1};

static cudaError_t run(const int *in, int *out, int n) {
  const int tiles = tiles_of(n);
  int *sums;
  MUST(cudaMalloc((void **)&sums, tiles * sizeof(int)));
  scan_tiles<<<tiles, TILE>>>(in, out, sums, n);
  scan_tiles<<<1, TILE>>>(sums, sums, nullptr, tiles);
  MUST(cudaFree(sums)); // wrong
  add_offsets<<<tiles, TILE>>>(out, sums, n); // wrong
  return cudaGetLastError(); // wrong
  add_offsets<<<tiles, TILE>>>(out, sums, n); // twin
  return cudaFree(sums); // twin
}
