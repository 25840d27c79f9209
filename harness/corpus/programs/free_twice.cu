// expect: memory.freed at here
// The same allocation is given back twice.

static int run() {
  int *x, *y;
  if (cudaMalloc(&x, 64)) return 1;
  y = x;
  cudaFree(x);
  y = nullptr; // twin
  cudaFree(y); // here
  cudaGetLastError();
  return 0;
}
