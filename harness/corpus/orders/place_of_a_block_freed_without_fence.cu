// expect: order.fence at here
// Blocks fill and empty a place in turn. The one that empties it gives it back without a fence.

__device__ int place_[64], free_;
__global__ void k(int *o) {
  volatile int *f = &free_;
  for (int i = 0; i < 3; i++) {
    if (threadIdx.x == 0) {
      while (*f != 2 * i + (blockIdx.x != 0)) {}
      __threadfence();
    }
    __syncthreads();
    if (blockIdx.x == 0) place_[threadIdx.x] = i; // here
    else o[i * 64 + threadIdx.x] = place_[63 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
      if (blockIdx.x == 0) __threadfence(); // wrong
      __threadfence(); // twin
      *f = 2 * i + 1 + (blockIdx.x != 0);
    }
  }
}
static int run() { return played(k, 2, 64); }
