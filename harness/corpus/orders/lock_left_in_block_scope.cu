// expect: race.global at wrong
// Several blocks share a lock, and it is given back by an exchange that is atomic within a block only.

__device__ int lock;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  while (atomicCAS(&lock, 0, 1) != 0) {}
  __threadfence();
  data[0] += 1;
  __threadfence();
  atomicExch_block(&lock, 0); // wrong
  atomicExch_system(&lock, 0); // twin
}
