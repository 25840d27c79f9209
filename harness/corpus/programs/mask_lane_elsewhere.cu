// expect: barrier.mask at wrong
// The mask of the shuffle names all lanes, but only half of the warp gets to it.

__global__ void sum(int *d) {
  int x = d[threadIdx.x];
  if (threadIdx.x < 16) {
    x += __shfl_xor_sync(0x0000ffffu, x, 1); // twin
    x += __shfl_xor_sync(0xffffffffu, x, 1); // wrong
  }
  __syncthreads();
  d[threadIdx.x] = x;
}
static int run() {
  int *d = filled(128);
  sum<<<1, 32>>>(d);
  return ended_with(cudaErrorLaunchTimeout);
}
