// expect: race.global at here
// All threads store a word, the first one makes a fence and counts without waiting for the others.

__device__ unsigned done;
__global__ void work(int *data) {
  __shared__ bool last;
  const int t = threadIdx.x, n = gridDim.x * blockDim.x;
  data[blockIdx.x * blockDim.x + t] = t;
  __syncthreads(); // twin
  if (t == 0) {
    __threadfence();
    last = atomicAdd(&done, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last) data[n + t] = data[(t * 5 + 70) % n]; // here
}
static int run() { return played(work, 4, 64); }
