// The scan of lab 05 with the sums scanned by the host, with one mistake at a time.
//
// expect array_of_the_host: memory.host
// The kernel gets an array of the host: its address means nothing to the device.
// expect copy_in_the_wrong_direction: host.error, output.differs
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
  add_offsets<<<tiles, TILE>>>(out, host, n); // wrong array_of_the_host
  cudaMemcpy(sums, host, tiles * sizeof(int), cudaMemcpyDeviceToHost); // wrong copy_in_the_wrong_direction
  MUST(cudaMemcpy(sums, host, tiles * sizeof(int), cudaMemcpyHostToDevice)); // not array_of_the_host, copy_in_the_wrong_direction
  add_offsets<<<tiles, TILE>>>(out, sums, n); // not array_of_the_host
  return cudaFree(sums);
}
