// expect: progress.deadlock
// A tile without elements leaves before it has published its prefix, and the next one waits for it.

static const task TASK = {INCLUSIVE, 128, 1};

__global__ void scan(const int *in, int *out, int n, chain *c) {
  __shared__ int before;
  const int tile = draw(c), i = tile * TILE + threadIdx.x, x = i < n ? in[i] : 0;
  if (tile == 1) return; // wrong
  const int sum = block_sum(x);
  if (threadIdx.x == TILE - 1) {
    before = wait_for(c, tile);
    if (tile < 2) publish(c, tile, before + sum);
  }
  __syncthreads();
  if (i < n) out[i] = before + sum;
}

static cudaError_t run(const int *in, int *out, int n) {
  chain *c;
  MUST(cudaMalloc((void **)&c, chain_bytes(n) + 64));
  cudaMemset(c, 0, sizeof(chain));
  scan<<<3, TILE>>>(in, out, n, c);
  return freed(c);
}
