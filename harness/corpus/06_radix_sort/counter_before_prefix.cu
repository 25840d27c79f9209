// expect: memory.uninit at 16
// The counter is raised first and the prefix written after it.

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
    *(volatile int *)&c->published = tile + 1; // wrong
    __threadfence(); // wrong
    __nanosleep(2000); // wrong
    *(volatile int *)&c->prefix[tile] = before + sum; // wrong
    publish(c, tile, before + sum); // twin
    s_before = before;
  }
  __syncthreads();
  if (i < n) out[i] = s_before + sum - x;
}

static cudaError_t run(const int *in, int *out, int n) { return start_chain(scan, in, out, n); }
