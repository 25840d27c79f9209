// expect: race.global at here
// A ring of slots, each with a flag: the consumer lowers the flag before it has read the slot.

__device__ int slot_[4];
__device__ int full_[4];
__global__ void ring(int *o) {
  if (threadIdx.x) return;
  for (int k = 0; k < 12; k++) {
    cuda::atomic_ref<int, cuda::thread_scope_device> full(full_[k % 4]);
    if (blockIdx.x == 0) {
      while (full.load(cuda::memory_order_acquire) != 0) {}
      slot_[k % 4] = k * k; // here
      full.store(1, cuda::memory_order_release);
    } else {
      while (full.load(cuda::memory_order_acquire) != 1) {}
      int v = slot_[k % 4]; // twin
      full.store(0, cuda::memory_order_release);
      int v = slot_[k % 4]; // wrong
      o[k] = v;
    }
  }
}
static int run() { return played(ring, 2, 32); }
