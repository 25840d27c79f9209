// expect: order.fence at 16
// __threadfence_block() orders what the own block sees; the reader is in another one.

static const task TASK = {EXCLUSIVE, 500, 1};

__global__ void scan(const int *in, int *out, int n, chain *c) {
  __shared__ int s_before;
  const int tile = draw(c);
  const int i = tile * TILE + threadIdx.x, x = i < n ? in[i] : 0, sum = block_sum(x);
  if (threadIdx.x == TILE - 1) {
    int before = 0;
    if (tile > 0) {
      while (*(volatile int *)&c->published < tile) {
      }
      __threadfence();
      before = *(volatile int *)&c->prefix[tile - 1];
    }
    *(volatile int *)&c->prefix[tile] = before + sum;
    __threadfence_block(); // wrong
    __threadfence(); // twin
    *(volatile int *)&c->published = tile + 1;
    s_before = before;
  }
  __syncthreads();
  if (i < n) out[i] = s_before + sum - x;
}

static cudaError_t run(const int *in, int *out, int n) { return start_chain(scan, in, out, n); }
