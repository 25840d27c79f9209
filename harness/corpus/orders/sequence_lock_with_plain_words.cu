// expect: race.global at here
// A sequence lock: a reader that was disturbed tries again. Its words are read while they are written, so
// they must be atomic.

__device__ int sequence, pair[2];
__global__ void work(int *data) {
  cuda::atomic_ref<int, cuda::thread_scope_device> seq(sequence);
  volatile int *a = &pair[0], *b = &pair[1]; // wrong
  cuda::atomic_ref<int, cuda::thread_scope_device> x(pair[0]), y(pair[1]); // twin
  if (threadIdx.x) return;
  if (blockIdx.x == 3) {
    seq.store(1, cuda::memory_order_relaxed);
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    *a = 1, *b = 1; // here // wrong
    x.store(1, cuda::memory_order_relaxed), y.store(1, cuda::memory_order_relaxed); // twin
    seq.store(2, cuda::memory_order_release);
  } else {
    int before, after, sum;
    do {
      before = seq.load(cuda::memory_order_acquire);
      sum = *a + *b; // here // wrong
      sum = x.load(cuda::memory_order_relaxed) + y.load(cuda::memory_order_relaxed); // twin
      cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
      after = seq.load(cuda::memory_order_relaxed);
    } while (before != after || before % 2);
    data[blockIdx.x] = sum;
  }
}
