// expect: memory.readonly
// The sums are kept in constant memory, which kernels may read, but not write.

static const task TASK = {EXCLUSIVE, 500, 1};

__constant__ int sums[TILE]; // wrong
__device__ int sums[TILE]; // twin
__global__ void add(int *out, int n) {
  const int i = blockIdx.x * TILE + threadIdx.x;
  if (i < n) out[i] += sums[blockIdx.x];
}

static cudaError_t run(const int *in, int *out, int n) {
  const int tiles = tiles_of(n);
  int *where;
  MUST(cudaGetSymbolAddress((void **)&where, sums));
  scan_tiles<<<tiles, TILE>>>(in, out, where, n);
  scan_tiles<<<1, TILE>>>(where, where, nullptr, tiles);
  add<<<tiles, TILE>>>(out, n);
  return cudaGetLastError();
}
