// expect: race.shared at 13
// The tile number lies in s_data[0], and the data go there before all threads have read it.

static const task TASK = {EXCLUSIVE, 500, 1};

__global__ void scan(const int *in, int *out, int n, chain *c) {
  __shared__ int s_data[TILE], s_before;
  const int t = threadIdx.x;
  if (t == 0) s_data[0] = atomicAdd(&c->ticket, 1);
  __syncthreads();
  const int tile = s_data[0], i = tile * TILE + t, x = i < n ? in[i] : 0;
  __syncthreads(); // twin
  s_data[t] = x;
  const int sum = block_sum(s_data[t]);
  if (t == TILE - 1) {
    s_before = wait_for(c, tile);
    publish(c, tile, s_before + sum);
  }
  __syncthreads();
  if (i < n) out[i] = s_before + sum - x;
}
