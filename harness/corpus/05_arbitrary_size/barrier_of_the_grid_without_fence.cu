// expect: order.fence
// A barrier of the whole grid made at home: counted by atomics, but nothing is made visible.

static const task TASK = {EXCLUSIVE, 300, 1};

static __global__ void all(const int *in, int *out, int *sums, int *there, int n) {
  const int i = blockIdx.x * TILE + threadIdx.x, x = i < n ? in[i] : 0, sum = block_sum(x);
  if (threadIdx.x == TILE - 1) sums[blockIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence(); // twin
    atomicAdd(there, 1);
    while (atomicAdd(there, 0) < gridDim.x) {
    }
    __threadfence(); // twin
  }
  __syncthreads();
  int before = 0;
  for (int b = 0; b < blockIdx.x; b++) before += sums[b];
  if (i < n) out[i] = before + sum - x;
}

static cudaError_t run(const int *in, int *out, int n) {
  int *sums;
  MUST(cudaMalloc((void **)&sums, (tiles_of(n) + 1) * sizeof(int)));
  cudaMemset(sums, 0, (tiles_of(n) + 1) * sizeof(int));
  all<<<tiles_of(n), TILE>>>(in, out, sums, sums + tiles_of(n), n);
  return freed(sums);
}
