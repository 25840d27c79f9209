// expect: barrier.divergent
// says: nobody may arrive for the next round before this one has opened
// exits: 1
// Two warps hand a tile over round by round. The first one does not wait until the other has read: it arrives
// twice, and the second one's count is never met.

__device__ void arrive(int id) { asm volatile("bar.arrive %0, 64;" ::"r"(id) : "memory"); }
__device__ void wait(int id) { asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory"); }

__global__ void work(int *data) {
  __shared__ int tile[32];
  const int lane = threadIdx.x % 32;
  int sum = 0;
  for (int k = 0; k < 4; k++)
    if (threadIdx.x < 32) {
      if (k) wait(2); // twin
      tile[lane] = k + lane;
      arrive(1);
    } else {
      wait(1);
      sum += tile[31 - lane];
      if (k < 3) arrive(2); // twin
    }
  data[threadIdx.x] = sum;
}
static int run() { return played(work, 1, 64); }
