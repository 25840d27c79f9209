// expect: race.global at here
// says: memory_order_seq_cst
// with: --schedule warps=random,visibility=weak,seed=1
// Dekker's lock of two blocks: each raises its flag and enters if the other's is down. With release and
// acquire the load may come before the block's own store is seen, so both can enter: it takes a fence of all
// orders between them.

__device__ int flag[2];
__global__ void enter(int *sum) {
  if (threadIdx.x) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> mine(flag[blockIdx.x]), other(flag[1 - blockIdx.x]);
  for (int k = 0; k < 50; k++) {
    for (;;) {
      mine.store(1, cuda::memory_order_release);
      cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device); // twin
      if (other.load(cuda::memory_order_acquire) == 0) break;
      mine.store(0, cuda::memory_order_release);
      if (blockIdx.x) __nanosleep(200);
    }
    *sum = *sum + 1; // here
    mine.store(0, cuda::memory_order_release);
  }
}
static int run() { return played(enter, 2, 32, sizeof(int), 0); }
