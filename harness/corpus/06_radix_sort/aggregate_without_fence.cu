// expect: order.fence at 29
// with: --warps random --seed 5
// Sums of tiles are data behind a flag: the prefix has its fence, the aggregate has none.

static const task TASK = {INCLUSIVE, 256, 1};

__global__ void scan(const int *in, int *out, int n, int *p) {
  __shared__ int before, tile;
  volatile int *flag = p, *aggregate = p + 16, *prefix = p + 32;
  if (threadIdx.x == 0) tile = atomicAdd(p + 63, 1);
  __syncthreads();
  const int i = tile * TILE + threadIdx.x, x = block_sum(in[i]);
  if (threadIdx.x == TILE - 1) {
    int b = 0;
    if (tile) {
      aggregate[tile] = x;
      __threadfence(); // twin
      flag[tile] = 1;
    }
    for (int q = tile - 1; q >= 0; q--) {
      int state;
      do state = flag[q];
      while (state == 0);
      __threadfence();
      if (state == 2) {
        b += prefix[q];
        break;
      }
      b += aggregate[q];
    }
    prefix[tile] = b + x;
    __threadfence();
    flag[tile] = 2;
    before = b;
  }
  __syncthreads();
  out[i] = before + x;
}

static cudaError_t run(const int *in, int *out, int n) {
  return with_scratch(scan, tiles_of(n), TILE, 64, in, out, n);
}
