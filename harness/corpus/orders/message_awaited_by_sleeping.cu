// expect: order.fence at here
// The loop that waits has a body, so the compiler makes its first look in front of it. A look that finds the
// flag raised is one at a flag all the same.

__device__ int ticket, flag;
__global__ void work(int *data) {
  if (threadIdx.x) return;
  const int mine = atomicAdd(&ticket, 1);
  for (unsigned ns = 8; *(volatile int *)&flag < mine; ns = ns < 256 ? 2 * ns : ns) __nanosleep(ns);
  __threadfence(); // twin
  data[0] += 1;    // here
  __threadfence();
  *(volatile int *)&flag = mine + 1;
}
static int run() { return played(work, 8, 32); }
