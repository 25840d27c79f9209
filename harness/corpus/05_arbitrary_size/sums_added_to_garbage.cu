// expect: memory.uninit at 12
// Every thread adds its element to the tile's sum by an atomic, and nobody has set the sums to 0.

static const task TASK = {EXCLUSIVE, 500, 1};

__global__ void first(const int *in, int *out, int *sums, int n) {
  const int i = blockIdx.x * TILE + threadIdx.x, x = i < n ? in[i] : 0;
  const int sum = block_sum(x);
  if (i < n) out[i] = sum - x;
  if (threadIdx.x == 0) sums[blockIdx.x] = 0; // twin
  __syncthreads(); // twin
  if (i < n) atomicAdd(&sums[blockIdx.x], x);
}
