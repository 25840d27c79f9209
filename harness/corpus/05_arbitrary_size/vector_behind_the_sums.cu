// expect: memory.misaligned at 8
// One allocation for two arrays: the second one begins behind an odd number of words, and is read in pairs.

static const task TASK = {EXCLUSIVE, 500, 1};

__global__ void fill(const int *in, int2 *copy, int n) {
  const int i = blockIdx.x * TILE + threadIdx.x;
  if (2 * i < n) copy[i] = make_int2(in[2 * i], in[2 * i + 1]);
}

static cudaError_t run(const int *in, int *out, int n) {
  const int words = tiles_of(n) - 1; // wrong
  const int words = (tiles_of(n) + 1) / 2 * 2; // twin
  int *memory;
  MUST(cudaMalloc((void **)&memory, (words + n) * sizeof(int)));
  fill<<<tiles_of(n), TILE>>>(in, reinterpret_cast<int2 *>(memory + words), n);
  MUST(three_launches(scan_tiles, memory + words, out, n));
  return cudaFree(memory);
}
