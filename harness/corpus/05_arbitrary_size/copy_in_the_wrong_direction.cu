// expect: host.error, output.differs
// The sums are scanned by the host, and the copy back names the direction of the copy before.

static const task TASK = {EXCLUSIVE, 500, 1};

static cudaError_t run(const int *in, int *out, int n) {
  const int tiles = tiles_of(n);
  int *sums, host[TILE], before = 0;
  MUST(cudaMalloc((void **)&sums, tiles * sizeof(int)));
  scan_tiles<<<tiles, TILE>>>(in, out, sums, n);
  MUST(cudaMemcpy(host, sums, tiles * sizeof(int), cudaMemcpyDeviceToHost));
  for (int b = 0; b < tiles; b++) {
    const int sum = host[b];
    host[b] = before;
    before += sum;
  }
  cudaMemcpy(sums, host, tiles * sizeof(int), cudaMemcpyDeviceToHost); // wrong
  cudaMemcpy(sums, host, tiles * sizeof(int), cudaMemcpyHostToDevice); // twin
  add_offsets<<<tiles, TILE>>>(out, sums, n);
  return cudaFree(sums);
}
