// expect: race.global at here
// A barrier of the grid made of a counter. The first thread makes the fences, but does not wait before for
// the others that its block has.

__device__ int arrived;
__global__ void work(int *data) {
  const int t = threadIdx.x, n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + t;
  data[i] = i;
  __syncthreads(); // twin
  if (t == 0) {
    __threadfence();
    atomicAdd(&arrived, 1);
    while (*(volatile int *)&arrived < gridDim.x) {}
    __threadfence();
  }
  __syncthreads();
  data[n + i] = data[n - 1 - i]; // here
}
static int run() { return played(work, 4, 64); }
