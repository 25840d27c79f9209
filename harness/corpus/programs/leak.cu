// expect: memory.leak at here
// One of two arrays is never freed.

static int run() {
  int *x, *y;
  if (cudaMalloc(&x, 64)) return 1;
  if (cudaMalloc(&y, 256)) return 1; // here
  cudaFree(x);
  cudaFree(y); // twin
  return 0;
}
