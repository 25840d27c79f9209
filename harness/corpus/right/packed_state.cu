// expect: nothing
// State and value in one word of 64 bits, exchanged atomically.

static const task TASK = {INCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int *p) {
  __shared__ int before, tile;
  unsigned long long *st = (unsigned long long *)p;
  if (threadIdx.x == 0) tile = atomicAdd(p + 63, 1);
  __syncthreads();
  const int i = tile * 64 + threadIdx.x, x = block_scan(in[i]);
  if (threadIdx.x == 63) {
    if (tile) atomicExch(st + tile, 1ull << 32 | (unsigned)x);
    int b = 0;
    for (int q = tile - 1; q >= 0; q--) {
      unsigned long long s;
      do s = atomicAdd(st + q, 0ull);
      while (s >> 32 == 0);
      b += (int)s;
      if (s >> 32 == 2) break;
    }
    atomicExch(st + tile, 2ull << 32 | (unsigned)(b + x));
    before = b;
  }
  __syncthreads();
  out[i] = before + x;
}

static cudaError_t run(const int *in, int *out, int n) { return with_scratch(scan, 4, 64, 64, in, out, n); }
