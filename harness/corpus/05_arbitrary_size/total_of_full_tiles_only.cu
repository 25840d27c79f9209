// expect: memory.uninit
// Only the thread at the end of a full tile stores a total: the last sum is what was there before.

static const task TASK = {EXCLUSIVE, 500, 1};

__global__ void first(const int *in, int *out, int *sums, int n) {
  const int i = blockIdx.x * TILE + threadIdx.x, x = i < n ? in[i] : 0;
  const int sum = block_sum(x);
  if (i < n) out[i] = sum - x;
  if (threadIdx.x == TILE - 1 && i < n) sums[blockIdx.x] = sum; // wrong
  if (threadIdx.x == TILE - 1) sums[blockIdx.x] = sum; // twin
}
