// expect: race.global at wrong
// A lock for each block is good for the threads of that block. The word is shared by all blocks.

__device__ int locks[4];
__global__ void work(volatile int *data) {
  if (threadIdx.x % 32) return;
  int *mine = &locks[blockIdx.x];
  while (atomicCAS_block(mine, 0, 1) != 0) {}
  __threadfence_block();
  data[0] = data[0] + 1; // wrong
  data[blockIdx.x] = data[blockIdx.x] + 1; // twin
  __threadfence_block();
  atomicExch_block(mine, 0);
}
static int run() { return played(work, 4, 64); }
