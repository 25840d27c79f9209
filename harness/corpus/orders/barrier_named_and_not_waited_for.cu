// expect: race.shared at here, memory.uninit
// The second warp fills an array and arrives at a named barrier. The first one reads without waiting there.

__global__ void work(int *data) {
  __shared__ int word[32];
  const int t = threadIdx.x % 32;
  if (threadIdx.x >= 32) {
    word[t] = t;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory"); // twin
    data[t] = word[31 - t]; // here
    asm volatile("bar.sync 1, 64;" ::: "memory"); // wrong
  }
}
static int run() { return played(work, 1, 64); }
