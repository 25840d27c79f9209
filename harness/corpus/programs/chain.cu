// A chain: each block takes the sum of the one before and publishes its own. With one mistake at a time.
//
// expect publisher_without_fence: order.fence at here
// No fence stands between the sum and the counter that announces it.
// expect publisher_block_fence: order.fence at here
// The fence between them is one of the block, and the reader is in another block.
// expect reader_without_fence: order.fence at here
// No fence stands between the counter and the read of the sum.

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
      __threadfence(); // not reader_without_fence
      before = sum[s_tile - 1]; // here
    }
    sum[s_tile] = before + s_tile;
    __threadfence(); // not publisher_without_fence, publisher_block_fence
    __threadfence_block(); // wrong publisher_block_fence
    *flag = s_tile + 1;
    s_before = before;
  }
  __syncthreads();
  out[s_tile * 32 + threadIdx.x] = s_before + threadIdx.x;
}
static int run() { return played(chain, 8, 32, 8 * 128, UNSET); }
