// expect: nothing
// Warps of a block pass a sum on behind an atomic turn in shared memory.

static const task TASK = {INCLUSIVE, 128, 1};

__global__ void scan(const int *in, int *out, int n) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> turn;
  __shared__ int carry;
  const int t = threadIdx.x, w = t / 32;
  if (t == 0) {
    turn.store(0, cuda::memory_order_relaxed);
    carry = 0;
  }
  __syncthreads();
  const int x = warp_sum(in[t]);
  int b = 0;
  if (t % 32 == 31) {
    while (turn.load(cuda::memory_order_acquire) != w) {
    }
    b = carry;
    carry = b + x;
    turn.store(w + 1, cuda::memory_order_release);
  }
  b = __shfl_sync(0xffffffff, b, 31);
  out[t] = b + x;
}
