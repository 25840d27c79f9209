// expect: memory.uninit at here
// The counters come from cudaMalloc and are not set to zero.

__global__ void count(int *c, const int *d) {
  c[threadIdx.x] += d[threadIdx.x]; // here
}
static int run() {
  int *c = unset(256), *d = filled(256, 1);
  cudaMemset(c, 0, 256); // twin
  count<<<1, 64>>>(c, d);
  return ended_with(cudaSuccess);
}
