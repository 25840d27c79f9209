// expect: repeat.state, output.differs
// with: --check-repeat
// The counters are 0 when the program starts, and no later launch sets them back.

static const task TASK = {EXCLUSIVE, 500, 2};

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
__device__ struct { int ticket, published, prefix[64]; } counters;

static cudaError_t run(const int *in, int *out, int n) {
  chain *c;
  MUST(cudaGetSymbolAddress((void **)&c, counters));
  MUST(cudaMemset(c, 0, sizeof(chain))); // twin
  scan<<<tiles_of(n), TILE>>>(in, out, n, c);
  return cudaGetLastError();
}
