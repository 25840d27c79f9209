// expect: race.shared at here
// Warps take turns by a lock in shared memory: the sum is read under it and stored behind it.

__global__ void sum(int *d) {
  __shared__ int lock, total;
  if (threadIdx.x == 0) lock = 0, total = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1)) {}
    __threadfence_block();
    const int before = total;
    atomicExch(&lock, 0); // wrong
    total = before + d[threadIdx.x]; // here
    __threadfence_block(); // twin
    atomicExch(&lock, 0); // twin
  }
  __syncthreads();
  d[threadIdx.x] = total;
}
static int run() { return played(sum, 1, 128, 512, 1); }
