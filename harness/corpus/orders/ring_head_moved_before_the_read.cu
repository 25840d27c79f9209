// expect: race.global at here
// The consumer of a ring moves its head on before it has read the slot.

__device__ int slot_[4];
__device__ unsigned head_, tail_;
__global__ void ring(int *o) {
  if (threadIdx.x) return;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> head(head_), tail(tail_);
  for (unsigned k = 0; k < 12; k++) {
    if (blockIdx.x == 0) {
      while (k - head.load(cuda::memory_order_acquire) >= 4) {}
      slot_[k % 4] = k * k; // here
      tail.store(k + 1, cuda::memory_order_release);
    } else {
      while (tail.load(cuda::memory_order_acquire) <= k) {}
      head.store(k + 1, cuda::memory_order_release); // wrong
      o[k] = slot_[k % 4]; // here
      head.store(k + 1, cuda::memory_order_release); // twin
    }
  }
}
static int run() { return played(ring, 2, 32); }
