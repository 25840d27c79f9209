// expect: race.global at wrong
// The word is changed after the lock has been given back.

__device__ int lock;
__global__ void work(volatile int *data) {
  if (threadIdx.x) return;
  while (atomicCAS(&lock, 0, 1) != 0) {}
  __threadfence();
  data[0] = data[0] + 1; // twin
  __threadfence();
  atomicExch(&lock, 0);
  data[0] = data[0] + 1; // wrong
}
static int run() { return played(work, 4, 32); }
