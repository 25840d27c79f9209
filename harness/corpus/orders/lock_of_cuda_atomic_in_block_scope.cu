// expect: race.global at here, order.fence
// A lock of cuda::atomic, in the scope of the block, for all blocks.

__device__ int lock;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  cuda::atomic_ref<int, cuda::thread_scope_block> l(lock); // wrong
  cuda::atomic_ref<int, cuda::thread_scope_system> l(lock); // twin
  while (l.exchange(1, cuda::memory_order_acquire)) {} // here
  data[0] += 1;
  l.store(0, cuda::memory_order_release);
}
