// expect: order.fence at here
// The flag is a relaxed atomic on both sides, and there is no fence.

__device__ int flag;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    cuda::atomic_ref<int, cuda::thread_scope_device> f(flag);
    f.store(1, cuda::memory_order_relaxed); // wrong
    f.store(1, cuda::memory_order_release); // twin
  } else {
    cuda::atomic_ref<int, cuda::thread_scope_device> f(flag);
    while (f.load(cuda::memory_order_relaxed) == 0) {} // wrong
    while (f.load(cuda::memory_order_acquire) == 0) {} // twin
    data[1] = data[0]; // here
  }
}
static int run() { return played(work, 2, 32); }
