// expect: host.error at here, memory.bounds
// The kernel fails; every later call says so, but the program ends as if all were well.

__global__ void fill(int *x) { x[threadIdx.x] = 1; }
static int run() {
  int h[32] = {0}, *x = unset(sizeof h);
  fill<<<1, 32>>>(x); // twin
  fill<<<1, 64>>>(x); // wrong
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost); // here
  printf("%d\n", h[0]);
  cudaFree(x);
  return 0;
}
