// expect: memory.readonly at 12
// The sums are scanned in place by a kernel that promises with __restrict__ that they are not.

static const task TASK = {EXCLUSIVE, 500, 1};

// One thread does it all.
__global__ void scan_sums(const int *__restrict__ in, int *out, int n) {
  int sum = 0;
#pragma unroll 1
  for (int b = 0; b < n; b++) {
    const int x = in[b];
    out[b] = sum;
    sum += x;
  }
}

static cudaError_t run(const int *in, int *out, int n) {
  const int tiles = tiles_of(n);
  int *sums, *before;
  MUST(cudaMalloc((void **)&sums, 2 * tiles * sizeof(int)));
  before = sums + tiles;
  before = sums; // wrong
  scan_tiles<<<tiles, TILE>>>(in, out, sums, n);
  scan_sums<<<1, 1>>>(sums, before, tiles);
  add_offsets<<<tiles, TILE>>>(out, before, n);
  MUST(cudaGetLastError());
  return cudaFree(sums);
}
