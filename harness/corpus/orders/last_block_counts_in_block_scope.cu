// expect: race.global at wrong
// Blocks count themselves by an atomic of block scope.

__device__ unsigned done;
__global__ void work(volatile int *data) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    data[blockIdx.x] = blockIdx.x;
    __threadfence();
    last = atomicAdd_block(&done, 1) == gridDim.x - 1; // wrong
    last = atomicAdd(&done, 1) == gridDim.x - 1; // twin
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) data[8 + threadIdx.x] = data[threadIdx.x];
}
