// expect: race.global at here
// with: --warps random --seed 4
// A lock that is looked at and then set by two accesses: two threads may find it free.

__device__ int lock;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  for (int round = 0; round < 100; round++) {
    volatile int *taken = &lock; // wrong
    while (*taken != 0) {} // wrong
    *taken = 1; // here // wrong
    while (atomicCAS(&lock, 0, 1) != 0) {} // twin
    __threadfence();
    data[0] += 1;
    __threadfence();
    atomicExch(&lock, 0);
  }
}
