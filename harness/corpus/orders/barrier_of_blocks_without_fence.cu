// expect: order.fence at data
// Blocks count themselves in, and the last one lets all go on. There is no fence before they count.

__device__ unsigned arrived, phase_;
__device__ int cell[64];
__device__ void meet() {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence(); // twin
    unsigned p = ((volatile unsigned *)&phase_)[0];
    if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
      arrived = 0;
      __threadfence();
      atomicAdd(&phase_, 1);
    } else {
      while (((volatile unsigned *)&phase_)[0] == p) {}
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void steps(int *out) {
  if (threadIdx.x < 8) cell[blockIdx.x * 8 + threadIdx.x] = threadIdx.x; // data
  meet();
  if (threadIdx.x < 8) out[blockIdx.x * 8 + threadIdx.x] = cell[(blockIdx.x * 8 + 8 + threadIdx.x) % 32];
  meet();
}
static int run() { return played(steps, 4, 64); }
