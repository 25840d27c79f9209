// expect: race.global at here
// The lock is given back by a plain store, which others meet in their compare-and-swap.

__device__ int lock;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  while (atomicCAS(&lock, 0, 1) != 0) {} // here
  __threadfence();
  data[0] += 1;
  __threadfence();
  lock = 0; // wrong
  *(volatile int *)&lock = 0; // twin
}
