// expect: nothing
// Blocks fill and empty a place in turn. All threads make the fences; lane 0, which waits, comes first.

__device__ int place_[32], free_, round_;
__global__ void k(int *o) {
  volatile int *f = &free_;
  for (int i = 0; i < 3; i++) {
    if (blockIdx.x == 0) {
      if (threadIdx.x == 0) while (*f != 2 * i) {}
      __syncthreads();
      __threadfence();
      place_[threadIdx.x] = i;
      __threadfence();
      __syncthreads();
      if (threadIdx.x == 0) *f = 2 * i + 1;
    } else {
      if (threadIdx.x == 0) while (*f != 2 * i + 1) {}
      __syncthreads();
      __threadfence();
      o[i * 32 + threadIdx.x] = place_[31 - threadIdx.x];
      __threadfence();
      __syncthreads();
      if (threadIdx.x == 0) *f = 2 * i + 2;
    }
  }
}
static int run() { return played(k, 2, 32); }
