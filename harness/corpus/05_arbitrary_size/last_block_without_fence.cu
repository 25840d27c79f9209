// expect: order.fence at 22
// The last block to finish scans the sums, but the others have published theirs without a fence.

static const task TASK = {EXCLUSIVE, 500, 1};

__device__ unsigned finished;
__global__ void first(const int *in, int *out, int *sums, int n) {
  __shared__ bool last;
  volatile int *seen = sums;
  const int i = blockIdx.x * TILE + threadIdx.x, x = i < n ? in[i] : 0;
  const int sum = block_sum(x);
  if (i < n) out[i] = sum - x;
  if (threadIdx.x == TILE - 1) {
    seen[blockIdx.x] = sum;
    __threadfence(); // twin
    last = atomicAdd(&finished, 1) == gridDim.x - 1;
    if (last) finished = 0;
  }
  __syncthreads();
  __threadfence(); // twin
  if (!last) return;
  const int y = threadIdx.x < gridDim.x ? seen[threadIdx.x] : 0;
  const int all = block_sum(y);
  if (threadIdx.x < gridDim.x) sums[threadIdx.x] = all - y;
}

static cudaError_t run(const int *in, int *out, int n) {
  int *sums;
  MUST(cudaMalloc((void **)&sums, tiles_of(n) * sizeof(int)));
  first<<<tiles_of(n), TILE>>>(in, out, sums, n);
  add_offsets<<<tiles_of(n), TILE>>>(out, sums, n);
  return cudaFree(sums);
}
