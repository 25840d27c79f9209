// expect: race.global at 10
// Tiles begin TILE - 1 apart: two blocks write the element where two tiles meet.

static const task TASK = {EXCLUSIVE, 500, 1};

__global__ void first(const int *in, int *out, int *sums, int n) {
  const int i = blockIdx.x * (TILE - 1) + threadIdx.x; // wrong
  const int i = blockIdx.x * TILE + threadIdx.x; // twin
  const int x = i < n ? in[i] : 0, sum = block_sum(x);
  if (i < n) out[i] = sum - x;
  if (threadIdx.x == TILE - 1) sums[blockIdx.x] = sum;
}
