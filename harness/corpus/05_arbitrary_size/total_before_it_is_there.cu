// expect: race.shared at 12
// Thread 0 stores the total of the tile, which the last thread has in its hands: no barrier between the two.

static const task TASK = {EXCLUSIVE, 500, 1};

__global__ void first(const int *in, int *out, int *sums, int n) {
  __shared__ int total;
  const int i = blockIdx.x * TILE + threadIdx.x, x = i < n ? in[i] : 0;
  if (threadIdx.x == 0) total = 0;
  const int sum = block_sum(x);
  if (i < n) out[i] = sum - x;
  if (threadIdx.x == TILE - 1) total = sum;
  __syncthreads(); // twin
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}
