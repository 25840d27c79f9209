// expect: host.error at wrong
// The kind of the copy says the opposite of what the pointers say.

static int run() {
  int *x, h[4] = {1, 2, 3, 4};
  if (cudaMalloc(&x, sizeof h)) return 1;
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice); // twin
  cudaMemcpy(x, h, sizeof h, cudaMemcpyDeviceToHost); // wrong
  printf("copied\n");
  cudaFree(x);
  return 0;
}
