// expect: memory.host
// The kernel gets an array of the host: its address means nothing to the device.

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
  add_offsets<<<tiles, TILE>>>(out, host, n); // wrong
  MUST(cudaMemcpy(sums, host, tiles * sizeof(int), cudaMemcpyHostToDevice)); // twin
  add_offsets<<<tiles, TILE>>>(out, sums, n); // twin
  return cudaFree(sums);
}
