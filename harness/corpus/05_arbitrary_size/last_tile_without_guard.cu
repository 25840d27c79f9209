// expect: memory.bounds at 8
// n is not a multiple of the tile: threads of the last one read behind the end.

static const task TASK = {EXCLUSIVE, 500, 1};

__global__ void first(const int *in, int *out, int *sums, int n) {
  const int i = blockIdx.x * TILE + threadIdx.x;
  const int x = in[i]; // wrong
  const int x = i < n ? in[i] : 0; // twin
  const int sum = block_sum(x);
  if (i < n) out[i] = sum - x;
  if (threadIdx.x == TILE - 1) sums[blockIdx.x] = sum;
}
