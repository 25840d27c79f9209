// expect: order.fence at here
// The word behind the lock is volatile. That orders nothing: a fence belongs behind the loop that takes the lock.

__device__ int lock;
__global__ void work(volatile int *data) {
  if (threadIdx.x) return;
  while (atomicCAS(&lock, 0, 1) != 0) {}
  __threadfence(); // twin
  data[0] = data[0] + 1; // here
  __threadfence();
  atomicExch(&lock, 0);
}
static int run() { return played(work, 4, 32); }
