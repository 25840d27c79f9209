// expect: barrier.divergent at only here
// A barrier that counts waits like any other, and a part of a warp goes past it.

__global__ void count(int *d) {
  const int x = d[threadIdx.x];
  int positive = 0;
  positive = __syncthreads_count(threadIdx.x < 48 && x > 0); // twin
  if (threadIdx.x < 48) positive = __syncthreads_count(x > 0); // here // wrong
  __syncthreads();
  d[threadIdx.x] = positive;
}
static int run() { return played(count, 1, 64, 256, 0); }
