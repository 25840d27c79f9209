// expect: race.shared at here
// Warps of a block change a volatile shared word under a lock, and give it back without a fence.

__global__ void work(int *data) {
  __shared__ int lock;
  __shared__ volatile int word;
  if (threadIdx.x == 0) lock = word = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {}
    __threadfence_block();
    word = word + 1; // here
    __threadfence_block(); // twin
    atomicExch(&lock, 0);
  }
  __syncthreads();
  if (threadIdx.x == 0) data[blockIdx.x] = word;
}
static int run() { return played(work, 2, 128); }
