// A lock for a volatile word that all blocks change: that orders nothing. With one mistake at a time.
//
// expect lock_left_without_fence_volatile: order.fence at here
// No fence stands before the lock is given back.
// expect lock_entered_without_fence_volatile: order.fence at here
// No fence stands behind the loop that takes the lock.
// expect lock_left_too_early: race.global at 18
// The word is changed after the lock has been given back.

__device__ int lock;
__global__ void work(volatile int *data) {
  if (threadIdx.x) return;
  while (atomicCAS(&lock, 0, 1) != 0) {}
  __threadfence(); // not lock_entered_without_fence_volatile
  data[0] = data[0] + 1; // here // not lock_left_too_early
  __threadfence(); // not lock_left_without_fence_volatile
  atomicExch(&lock, 0);
  data[0] = data[0] + 1; // wrong lock_left_too_early
}
