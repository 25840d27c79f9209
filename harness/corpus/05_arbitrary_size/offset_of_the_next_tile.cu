// expect: memory.bounds at 9
// The launch over tiles 1 and up forgets that its block 0 is tile 1: it has one block too many.

static const task TASK = {EXCLUSIVE, 500, 1};

__global__ void add(int *out, const int *offsets, int n) {
  __shared__ int before;
  const int tile = blockIdx.x + 1, i = tile * TILE + threadIdx.x;
  if (threadIdx.x == 0) before = offsets[tile];
  __syncthreads();
  if (i < n) out[i] += before;
}

static cudaError_t run(const int *in, int *out, int n) {
  const int tiles = tiles_of(n);
  int *sums;
  MUST(cudaMalloc((void **)&sums, tiles * sizeof(int)));
  scan_tiles<<<tiles, TILE>>>(in, out, sums, n);
  scan_tiles<<<1, TILE>>>(sums, sums, nullptr, tiles);
  add<<<tiles, TILE>>>(out, sums, n); // wrong
  add<<<tiles - 1, TILE>>>(out, sums, n); // twin
  return cudaFree(sums);
}
