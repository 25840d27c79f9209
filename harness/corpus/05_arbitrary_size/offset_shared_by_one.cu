// expect: race.shared at 11
// One thread fetches the offset of the tile for all; they do not wait for it.

static const task TASK = {EXCLUSIVE, 300, 1};

static __global__ void add(int *out, const int *offsets, int n) {
  __shared__ int offset;
  const int i = blockIdx.x * TILE + threadIdx.x;
  if (threadIdx.x == 0) offset = offsets[blockIdx.x];
  __syncthreads(); // twin
  if (i < n) out[i] += offset;
}

static cudaError_t run(const int *in, int *out, int n) {
  int *sums;
  MUST(cudaMalloc((void **)&sums, tiles_of(n) * sizeof(int)));
  scan_tiles<<<tiles_of(n), TILE>>>(in, out, sums, n);
  scan_tiles<<<1, TILE>>>(sums, sums, nullptr, tiles_of(n));
  add<<<tiles_of(n), TILE>>>(out, sums, n);
  return freed(sums);
}
