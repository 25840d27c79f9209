// expect: order.fence at here
// with: --order reverse
// Many may read, or one may write. A reader leaves by a relaxed update: its read may come too late.

__device__ int state; // readers, or -1
__global__ void work(int *words) {
  if (threadIdx.x) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> s(state);
  if (blockIdx.x) {
    for (int was = s.load();; was = s.load())
      if (was >= 0 && s.compare_exchange_strong(was, was + 1, cuda::memory_order_acquire)) break;
    words[8 + blockIdx.x] = words[0]; // here
    s.fetch_sub(1, cuda::memory_order_release); // twin
    s.fetch_sub(1, cuda::memory_order_relaxed); // wrong
  } else {
    for (int was = 0; !s.compare_exchange_strong(was, -1, cuda::memory_order_acquire); was = 0) {}
    words[0] = 7;
    s.store(0, cuda::memory_order_release);
  }
}
static int run() { return played(work, 4, 32); }
