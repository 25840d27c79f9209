// expect: memory.bounds
// The last tile publishes, too: there are as many prefixes as tiles, not one less.

static const task TASK = {EXCLUSIVE, 500, 1};

__global__ void scan(const int *in, int *out, int n, chain *c) {
  __shared__ int s_before;
  const int tile = draw(c);
  const int i = tile * TILE + threadIdx.x, x = i < n ? in[i] : 0, sum = block_sum(x);
  if (threadIdx.x == TILE - 1) {
    const int before = wait_for(c, tile);
    publish(c, tile, before + sum);
    s_before = before;
  }
  __syncthreads();
  if (i < n) out[i] = s_before + sum - x;
}

static cudaError_t run(const int *in, int *out, int n) {
  chain *c;
  MUST(cudaMalloc((void **)&c, chain_bytes(n) - sizeof(int))); // wrong
  MUST(cudaMalloc((void **)&c, chain_bytes(n))); // twin
  MUST(cudaMemset(c, 0, sizeof(chain)));
  scan<<<tiles_of(n), TILE>>>(in, out, n, c);
  return cudaFree(c);
}
