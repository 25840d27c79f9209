// expect: order.fence at here
// The reader acquires, the writer stores relaxed.

__device__ int flag;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device); // twin
    cuda::atomic_ref<int, cuda::thread_scope_device>(flag).store(1, cuda::memory_order_relaxed);
  } else {
    cuda::atomic_ref<int, cuda::thread_scope_device> f(flag);
    while (f.load(cuda::memory_order_acquire) == 0) {}
    data[1] = data[0]; // here
  }
}
static int run() { return played(work, 2, 32); }
