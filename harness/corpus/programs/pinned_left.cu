// expect: memory.leak at here
// Pinned memory is never given back.

static int run() {
  int *x = nullptr, *d = nullptr;
  if (cudaMallocHost(&x, 64) || cudaMalloc(&d, 64)) return 1; // here
  x[0] = 7;
  const bool failed = cudaMemcpy(d, x, 64, cudaMemcpyHostToDevice);
  cudaFree(d);
  cudaFreeHost(x); // twin
  return failed;
}
