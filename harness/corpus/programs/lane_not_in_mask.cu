// expect: barrier.mask at wrong
// All lanes shuffle, but the mask names half of them.

__global__ void sum(int *d) {
  int x = d[threadIdx.x];
  x += __shfl_xor_sync(0xffffffffu, x, 1); // twin
  x += __shfl_xor_sync(0xffffu, x, 1); // wrong
  d[threadIdx.x] = x;
}
static int run() { return played(sum, 1, 32, 128, 0); }
