// expect: progress.deadlock at 13
// One too many: every tile waits until it has itself published its prefix.

static const task TASK = {EXCLUSIVE, 500, 1};

__global__ void scan(const int *in, int *out, int n, chain *c) {
  __shared__ int s_before;
  const int tile = draw(c);
  const int i = tile * TILE + threadIdx.x, x = i < n ? in[i] : 0, sum = block_sum(x);
  if (threadIdx.x == TILE - 1) {
    int before = 0;
    if (tile > 0) {
      while (*(volatile int *)&c->published <= tile) continue; // wrong
      while (*(volatile int *)&c->published < tile) continue; // twin
      __threadfence();
      before = *(volatile int *)&c->prefix[tile - 1];
    }
    publish(c, tile, before + sum);
    s_before = before;
  }
  __syncthreads();
  if (i < n) out[i] = s_before + sum - x;
}

static cudaError_t run(const int *in, int *out, int n) { return start_chain(scan, in, out, n); }
