// expect: order.fence at here
// The writer releases, the reader loads relaxed.

__device__ int flag;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    cuda::atomic_ref<int, cuda::thread_scope_device>(flag).store(1, cuda::memory_order_release);
  } else {
    cuda::atomic_ref<int, cuda::thread_scope_device> f(flag);
    while (f.load(cuda::memory_order_relaxed) == 0) {}
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device); // twin
    data[1] = data[0]; // here
  }
}
static int run() { return played(work, 2, 32); }
