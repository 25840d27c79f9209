// expect: race.shared at here, memory.uninit
// Two pairs of warps pass words to each other. The second pair takes the name of the first one's barrier, and
// with that its arrivals.

__global__ void work(int *data) {
  __shared__ int word[2][32];
  const int t = threadIdx.x % 32, pair = threadIdx.x / 32 % 2;
  const int name = 1, all = 64; // wrong
  const int name = 1 + pair, all = 64; // twin
  if (threadIdx.x >= 64) word[pair][t] = t;
  asm volatile("bar.sync %0, %1;" ::"r"(name), "r"(all) : "memory");
  if (threadIdx.x < 64) data[pair * 32 + t] = word[pair][31 - t]; // here
}
static int run() { return played(work, 1, 128); }
