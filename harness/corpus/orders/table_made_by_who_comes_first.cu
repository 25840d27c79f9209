// expect: order.fence at here
// The block that comes first makes the table, and says so without a fence; all others wait for its word.

__device__ int state;
__global__ void work(int *table) {
  if (threadIdx.x == 0) {
    if (*(volatile int *)&state != 2) {
      if (atomicCAS(&state, 0, 1) == 0) {
        for (int i = 0; i < 16; i++) table[i] = 3 * i; // here
        __threadfence(); // twin
        atomicExch(&state, 2);
      } else {
        while (*(volatile int *)&state != 2) {}
      }
    }
    __threadfence();
  }
  __syncthreads();
  table[32 + 32 * blockIdx.x + threadIdx.x] = table[threadIdx.x % 16];
}
static int run() { return played(work, 4, 32); }
