// expect: race.global
// Writers take the lock, a reader does not.

__device__ int lock;
__global__ void work(volatile int *data) {
  if (threadIdx.x) return;
  const bool locks = blockIdx.x != 3; // wrong
  const bool locks = true; // twin
  while (locks && atomicCAS(&lock, 0, 1) != 0) {}
  if (locks) __threadfence();
  if (blockIdx.x == 3) data[1] = data[0];
  else data[0] = data[0] + 1;
  if (locks) __threadfence();
  if (locks) atomicExch(&lock, 0);
}
