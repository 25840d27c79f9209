// expect: order.fence at here
// A chain over blocks: each block waits for the one before, takes its sum and publishes its own.

__device__ unsigned ticket, published, prefix[64];
__global__ void chain(unsigned *out) {
  __shared__ unsigned s_tile, s_before;
  if (threadIdx.x == 0) s_tile = atomicAdd(&ticket, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    volatile unsigned *flag = &published, *sum = prefix;
    unsigned before = 0;
    if (s_tile > 0) {
      while (*flag < s_tile) {}
      __threadfence();
      before = sum[s_tile - 1]; // here
    }
    sum[s_tile] = before + s_tile;
    __threadfence(); // twin
    *flag = s_tile + 1;
    s_before = before;
  }
  __syncthreads();
  out[s_tile * 32 + threadIdx.x] = s_before + threadIdx.x;
}
static int run() { return played(chain, 8, 32, 8 * 128, UNSET); }
