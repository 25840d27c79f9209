// expect: nothing
// State and value in one volatile word: 2 bits and 30 bits need no fence.

static const task TASK = {INCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int *p) {
  __shared__ int before, tile;
  volatile unsigned *st = (unsigned *)p;
  if (threadIdx.x == 0) tile = atomicAdd(p + 63, 1);
  __syncthreads();
  const int i = tile * 64 + threadIdx.x, x = block_scan(in[i]);
  if (threadIdx.x == 63) {
    unsigned b = 0, s;
    if (tile) st[tile] = 1u << 30 | x;
    for (int q = tile - 1; q >= 0; q--) {
      while ((s = st[q]) >> 30 == 0) {
      }
      b += s & 0x3fffffff;
      if (s >> 30 == 2) break;
    }
    st[tile] = 2u << 30 | (b + x);
    before = b;
  }
  __syncthreads();
  out[i] = before + x;
}

static cudaError_t run(const int *in, int *out, int n) { return with_scratch(scan, 4, 64, 64, in, out, n); }
