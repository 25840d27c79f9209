// expect: race.shared at here
// Two warps and a volatile flag in shared memory. The reader makes no fence.

__global__ void work(int *data) {
  __shared__ volatile int flag, word;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    word = 42;
    __threadfence_block();
    flag = 1;
  } else if (threadIdx.x == 32) {
    while (flag == 0) {}
    __threadfence_block(); // twin
    data[0] = word; // here
  }
}
static int run() { return played(work, 1, 64); }
