// expect: barrier.divergent at wrong
// says: but thread 32 of the block is at the one in line
// One warp loads and one computes, each with a __syncthreads() of its own: the two barriers open each other.
// The twin waits in a function that both put in line, and once more in a loop that is unrolled.

__device__ __forceinline__ void hand_over() { __syncthreads(); }

__global__ void halves(int *data) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t < 32) {
    s[t] = t;
    __syncthreads(); // wrong
    hand_over();     // twin
    data[t] = s[t + 32];
  } else {
    s[t] = 2 * t;
    __syncthreads(); // wrong
    hand_over();     // twin
    data[t] = s[t - 32];
  }
#pragma unroll
  for (int k = 0; k < 2; k++) __syncthreads();
}
static int run() { return played(halves, 1, 64, 256, 0); }
