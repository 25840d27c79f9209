// expect: host.error at wrong
// Too many threads a block: the launch fails, and nobody asks.

__global__ void fill(int *x) { x[threadIdx.x] = 1; }
static int run() {
  int *x = unset(8192), first = 0;
  fill<<<1, 2048>>>(x); // wrong
  fill<<<1, 2048>>>(x); // twin
  if (cudaGetLastError() != cudaSuccess) fill<<<1, 1024>>>(x); // twin
  if (cudaMemcpy(&first, x, 4, cudaMemcpyDeviceToHost)) return 1;
  printf("%d\n", first);
  cudaFree(x);
  return 0;
}
