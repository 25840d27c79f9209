// expect: race.global at 12
// All threads write what the next tile needs, one of them raises the counter, and no barrier lies between.

static const task TASK = {EXCLUSIVE, 500, 1};

__device__ int row[8][TILE];
__global__ void scan(const int *in, int *out, int n, chain *c) {
  const int tile = draw(c), t = threadIdx.x, i = tile * TILE + t;
  const int x = i < n ? in[i] : 0, sum = block_sum(x);
  if (t == 0) (void)wait_for(c, tile);
  __syncthreads();
  const int before = tile > 0 ? row[tile - 1][TILE - 1 - t] : 0;
  if (i < n) out[i] = before + sum - x;
  __syncthreads();
  __shared__ int total;
  if (t == TILE - 1) total = before + sum;
  if (tile > 0 && t == TILE - 1) total = row[tile - 1][0] + sum;
  __syncthreads();
  row[tile][t] = total;
  __threadfence(); // twin
  __syncthreads(); // twin
  if (t == 0) publish(c, tile, total);
}
