// expect: memory.uninit
// cudaMemset counts bytes: only a quarter of the totals is cleared.

static const task TASK = {EXCLUSIVE, 300, 1};

static __global__ void totals(const int *in, int *sums, int n) {
  const int i = blockIdx.x * TILE + threadIdx.x;
  if (i < n) atomicAdd(&sums[i / TILE], in[i]);
}

static cudaError_t run(const int *in, int *out, int n) {
  int *sums;
  MUST(cudaMalloc((void **)&sums, tiles_of(n) * sizeof(int)));
  cudaMemset(sums, 0, tiles_of(n)); // wrong
  cudaMemset(sums, 0, tiles_of(n) * sizeof(int)); // twin
  totals<<<tiles_of(n), TILE>>>(in, sums, n);
  scan_tiles<<<1, TILE>>>(sums, sums, nullptr, tiles_of(n));
  scan_tiles<<<tiles_of(n), TILE>>>(in, out, nullptr, n);
  add_offsets<<<tiles_of(n), TILE>>>(out, sums, n);
  return freed(sums);
}
