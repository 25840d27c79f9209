// expect: order.fence at here
// The last block reads what the others have stored by plain loads and without a fence.

__device__ unsigned done;
__global__ void work(int *data) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    data[blockIdx.x] = blockIdx.x;
    __threadfence();
    last = atomicAdd(&done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  __threadfence(); // twin
  if (last && threadIdx.x < gridDim.x) data[8 + threadIdx.x] = data[threadIdx.x]; // here
}
