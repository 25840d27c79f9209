// The host of lab 05, which scans in three launches, with one mistake at a time.
//
// expect freed_before_the_last_launch: memory.freed
// The sums are given back before the launch that adds them.
// expect rounds_down: output.differs
// n / TILE tiles: the rest of the array is nobody's.
// expect sums_allocated_in_elements: memory.bounds
// cudaMalloc wants bytes: there is room for a quarter of the sums.
// expect block_too_large: host.error, output.differs
// A block of 2048 threads is one that cannot start, and nobody asks whether it did.
// expect sums_freed_twice: memory.freed
// The way out frees the sums that were freed already.
// expect sums_never_freed: memory.leak
// Every call leaves its temporary memory behind.

static const task TASK = {EXCLUSIVE, 500, 1};

static cudaError_t run(const int *in, int *out, int n) {
  const int tiles = n / TILE; // wrong rounds_down
  const int tiles = tiles_of(n); // not rounds_down
  int *sums;
  MUST(cudaMalloc((void **)&sums, tiles)); // wrong sums_allocated_in_elements
  MUST(cudaMalloc((void **)&sums, tiles * sizeof(int))); // not sums_allocated_in_elements
  scan_tiles<<<tiles, TILE>>>(in, out, sums, n);
  scan_tiles<<<1, TILE>>>(sums, sums, nullptr, tiles);
  MUST(cudaFree(sums)); // wrong freed_before_the_last_launch
  add_offsets<<<tiles, TILE>>>(out, sums, n); // wrong freed_before_the_last_launch
  return cudaGetLastError(); // wrong freed_before_the_last_launch
  add_offsets<<<1, 2048>>>(out, sums, n); // wrong block_too_large
  add_offsets<<<tiles, TILE>>>(out, sums, n); // not freed_before_the_last_launch, block_too_large
  MUST(cudaFree(sums)); // wrong sums_freed_twice
  (void)cudaFree(sums); // wrong sums_freed_twice
  (void)cudaGetLastError(); // wrong sums_freed_twice
  return cudaSuccess; // wrong sums_freed_twice
  return cudaGetLastError(); // wrong sums_never_freed
  return cudaFree(sums); // not freed_before_the_last_launch, sums_freed_twice, sums_never_freed
}
