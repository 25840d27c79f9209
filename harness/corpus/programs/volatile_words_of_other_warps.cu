// expect: order.fence at here
// The last block adds up the sums of all blocks, but only a fence of block scope stands before the counter.
// Within each block the warps have passed their words on by volatile reads, each with a flag of its own.

__device__ unsigned done;
__device__ int up[8 * 128];
__global__ void total(volatile int *words, volatile int *sums, int *out) {
  __shared__ bool last;
  const int t = threadIdx.x;
  volatile int *mine = words + blockIdx.x * 128;
  int *flag = up + blockIdx.x * 128;
  mine[t] = t;
  __syncthreads();
  if (t >= 64) {
    mine[t] = mine[t] + 1;
    __threadfence_block();
    atomicExch_block(&flag[t], 1);
  } else {
    while (atomicAdd_block(&flag[t + 64], 0) == 0) {}
    __threadfence_block();
    mine[t] = mine[t] + mine[t + 64];
  }
  __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int k = 0; k < 64; k++) sum += mine[k];
    sums[blockIdx.x] = sum;
    __threadfence(); // twin
    __threadfence_block(); // wrong
    last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t < gridDim.x) out[t] = sums[t]; // here
}
static int run() {
  int *d = unset(8 * 130 * 4);
  total<<<8, 128>>>(d, d + 8 * 128, d + 8 * 128 + 8);
  return ended_with(cudaSuccess);
}
