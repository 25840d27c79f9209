// expect: order.fence at here
// says: the flag written at line 19
// Each tile has a flag of its own, and blocks draw further tiles from a counter: of these two it is the flag
// that lacks the fence before it.

__device__ unsigned flags[8], tickets;
__device__ int sums[8];
__global__ void work(int *data) {
  if (threadIdx.x) return;
  for (unsigned tile; (tile = atomicAdd(&tickets, 1u)) < 8;) {
    int before = 0;
    if (tile > 0) {
      while (*(volatile unsigned *)&flags[tile - 1] == 0) {}
      __threadfence();
      before = sums[tile - 1]; // here
    }
    sums[tile] = before + 1; // here
    __threadfence(); // twin
    *(volatile unsigned *)&flags[tile] = 1;
  }
  data[blockIdx.x] = 1;
}
