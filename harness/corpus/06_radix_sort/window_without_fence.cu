// expect: order.fence
// Look-back by a warp: each lane reads the state of one tile, and takes its value without a fence.

static const task TASK = {INCLUSIVE, 300, 1};

__global__ void scan(const int *in, int *out, int n, volatile int *flag, volatile int *value, int *ticket) {
  __shared__ int tile, before;
  const int t = threadIdx.x;
  if (t == 0) tile = atomicAdd(ticket, 1);
  __syncthreads();
  const int i = tile * TILE + t, sum = block_sum(i < n ? in[i] : 0);
  if (t == TILE - 1) {
    value[tile] = sum;
    __threadfence();
    flag[tile] = 1;
  }
  if (t < 32) {
    const int p = tile - 1 - t;
    int x = 0;
    if (p >= 0) {
      while (flag[p] == 0) {
      }
      __threadfence(); // twin
      x = value[p];
    }
    for (int o = 16; o; o /= 2) x += __shfl_down_sync(0xffffffff, x, o);
    if (t == 0) before = x;
  }
  __syncthreads();
  if (i < n) out[i] = before + sum;
}

static cudaError_t run(const int *in, int *out, int n) {
  int *p;
  MUST(cudaMalloc((void **)&p, (2 * tiles_of(n) + 1) * sizeof(int)));
  cudaMemset(p, 0, (2 * tiles_of(n) + 1) * sizeof(int));
  scan<<<tiles_of(n), TILE>>>(in, out, n, p, p + tiles_of(n), p + 2 * tiles_of(n));
  return freed(p);
}
