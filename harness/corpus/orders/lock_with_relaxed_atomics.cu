// expect: order.fence at here
// A lock of cuda::atomic whose compare-and-exchange and store are relaxed.

__device__ int lock;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> l(lock);
  const auto take = cuda::memory_order_relaxed, leave = cuda::memory_order_relaxed; // wrong
  const auto take = cuda::memory_order_acquire, leave = cuda::memory_order_release; // twin
  for (int free = 0; !l.compare_exchange_strong(free, 1, take); free = 0) {}
  data[0] += 1; // here
  l.store(0, leave);
}
