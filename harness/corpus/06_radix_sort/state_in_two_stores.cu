// expect: race.global at 17
// Flag and sum of a tile are one word for the reader and two for the writer.

static const task TASK = {INCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int *p) {
  __shared__ int before, tile;
  unsigned long long *st = (unsigned long long *)p;
  if (threadIdx.x == 0) tile = atomicAdd(p + 63, 1);
  __syncthreads();
  const int i = tile * TILE + threadIdx.x, x = block_sum(in[i]);
  if (threadIdx.x == TILE - 1) {
    int b = 0;

    if (tile) {
      unsigned long long s;
      do s = *(volatile unsigned long long *)(st + tile - 1);
      while (s >> 32 == 0);
      b = (int)s;
    }
    ((volatile int *)(st + tile))[0] = b + x; // wrong
    ((volatile int *)(st + tile))[1] = 1; // wrong
    *(volatile unsigned long long *)(st + tile) = 1ull << 32 | (unsigned)(b + x); // twin

    before = b;
  }
  __syncthreads();
  out[i] = before + x;
}

static cudaError_t run(const int *in, int *out, int n) {
  return with_scratch(scan, tiles_of(n), TILE, 64, in, out, n);
}
