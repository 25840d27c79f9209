// expect: host.error at here
// says: cudaErrorInvalidValue: the memory is not from cudaMallocHost or cudaHostAlloc
// Memory from malloc is given to cudaFreeHost, which frees nothing.

static int run() {
  int *h = (int *)malloc(4096), *d;
  cudaMalloc(&d, 4096);
  memset(h, 0, 4096);
  cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice);
  cudaFree(d);
  cudaFreeHost(h); // here // wrong
  free(h); // twin
  return 0;
}
