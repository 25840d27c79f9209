// expect: race.shared at 11, race.global
// The threads read the tile number that thread 0 is still drawing.

static const task TASK = {EXCLUSIVE, 500, 1};

__global__ void scan(const int *in, int *out, int n, chain *c) {
  __shared__ int s_before;
  __shared__ int s_tile;
  if (threadIdx.x == 0) s_tile = 0;
  __syncthreads();
  if (threadIdx.x == 0) s_tile = atomicAdd(&c->ticket, 1);
  __syncthreads(); // twin
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
