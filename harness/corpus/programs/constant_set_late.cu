// expect: memory.constant at here
// The number of elements reaches the device behind the launch that needs it.

__constant__ int count;

__global__ void ones(int *d) {
  if (threadIdx.x < count) d[threadIdx.x] = 1; // here
}
static int run() {
  const int n = 20;
  int *d = unset(128);
  cudaMemcpyToSymbol(count, &n, sizeof n); // twin
  ones<<<1, 32>>>(d);
  cudaMemcpyToSymbol(count, &n, sizeof n); // wrong
  return ended_with(cudaSuccess);
}
