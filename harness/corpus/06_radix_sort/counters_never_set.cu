// expect: memory.uninit at 9
// Memory from cudaMalloc is not 0: the first ticket is anything.

static const task TASK = {EXCLUSIVE, 500, 1};

__global__ void scan(const int *in, int *out, int n, chain *c) {
  __shared__ int s_before;
  __shared__ int s_tile;
  if (threadIdx.x == 0) s_tile = atomicAdd(&c->ticket, 1) & 7;
  __syncthreads();
  const int tile = s_tile;
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
  MUST(cudaMalloc((void **)&c, chain_bytes(n)));
  MUST(cudaMemset(c, 0, sizeof(chain))); // twin
  scan<<<tiles_of(n), TILE>>>(in, out, n, c);
  return cudaFree(c);
}
