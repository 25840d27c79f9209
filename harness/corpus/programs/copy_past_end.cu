// expect: host.error at here
// Elements counted as bytes: the copy is longer than the allocation.

static int run() {
  const int n = 100;
  int *x, h[n] = {0};
  const size_t bytes = n * sizeof(int); // twin
  const size_t bytes = n; // wrong
  if (cudaMalloc(&x, bytes)) return 1;
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice); // here
  printf("copied\n");
  cudaFree(x);
  return 0;
}
