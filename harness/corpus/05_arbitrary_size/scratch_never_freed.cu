// expect: memory.leak
// A block takes scratch memory from malloc() and forgets it: no launch empties the heap.

static const task TASK = {EXCLUSIVE, 500, 1};

__global__ void first(const int *in, int *out, int *sums, int n) {
  __shared__ int *copy;
  const int i = blockIdx.x * TILE + threadIdx.x;
  if (threadIdx.x == 0) copy = (int *)malloc(TILE * sizeof(int));
  __syncthreads();
  copy[threadIdx.x] = i < n ? in[i] : 0;
  const int x = copy[threadIdx.x], sum = block_sum(x);
  if (i < n) out[i] = sum - x;
  if (threadIdx.x == TILE - 1) sums[blockIdx.x] = sum;
  if (threadIdx.x == 0) free(copy); // twin
}
