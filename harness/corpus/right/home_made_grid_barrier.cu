// expect: nothing
// A barrier of the grid by a counter, a volatile loop and fences.

static const task TASK = {INCLUSIVE, 256, 1};

__device__ void grid_barrier(int *c, int round) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(c, 1);
    while (*(volatile int *)c < round * (int)gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void scan(const int *in, int *out, int n, int *p) {
  const int i = blockIdx.x * 64 + threadIdx.x, x = block_scan(in[i]);
  if (threadIdx.x == 63) p[blockIdx.x] = x;
  grid_barrier(p + 15, 1);
  int b = 0;
  for (int k = 0; k < blockIdx.x; k++) b += p[k];
  grid_barrier(p + 15, 2);
  if (threadIdx.x == 0) p[blockIdx.x] = b;
  grid_barrier(p + 15, 3);
  out[i] = x + p[blockIdx.x];
}

static cudaError_t run(const int *in, int *out, int n) { return with_scratch(scan, 4, 64, 16, in, out, n); }
