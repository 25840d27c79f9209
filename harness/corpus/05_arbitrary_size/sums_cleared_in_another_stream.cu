// expect: race.global at 9
// The totals are cleared in a stream of their own, and nothing makes the kernel wait for that.

static const task TASK = {EXCLUSIVE, 500, 1};

// totals[b]: of the tiles before b.
__global__ void add_to_later(const int *in, int *totals, int n) {
  const int i = blockIdx.x * TILE + threadIdx.x, sum = block_sum(i < n ? in[i] : 0);
  for (int k = blockIdx.x + 1; threadIdx.x == TILE - 1 && k < gridDim.x; k++) atomicAdd(&totals[k], sum);
}

static cudaError_t run(const int *in, int *out, int n) {
  const int tiles = tiles_of(n);
  cudaStream_t copies, work;
  int *totals;
  MUST(cudaMalloc((void **)&totals, tiles * sizeof(int)));
  MUST(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
  MUST(cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking));
  MUST(cudaDeviceSynchronize());
  MUST(cudaMemsetAsync(totals, 0, tiles * sizeof(int), copies));
  MUST(cudaStreamSynchronize(copies)); // twin
  add_to_later<<<tiles, TILE, 0, work>>>(in, totals, n);
  scan_tiles<<<tiles, TILE, 0, work>>>(in, out, nullptr, n);
  add_offsets<<<tiles, TILE, 0, work>>>(out, totals, n);
  MUST(cudaStreamSynchronize(work));
  MUST(cudaStreamDestroy(copies));
  MUST(cudaStreamDestroy(work));
  return cudaFree(totals);
}
