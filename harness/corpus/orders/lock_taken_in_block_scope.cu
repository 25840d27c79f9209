// expect: race.global at wrong
// Several blocks take one lock by a compare-and-swap that is atomic within a block only.

__device__ int lock;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  while (atomicCAS_block(&lock, 0, 1) != 0) {} // wrong
  while (atomicCAS(&lock, 0, 1) != 0) {} // twin
  __threadfence();
  data[0] += 1;
  __threadfence();
  atomicExch(&lock, 0);
}
static int run() { return played(work, 4, 32); }
