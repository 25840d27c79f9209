// expect: memory.leak at here
// The host frees memory that is registered.

static int run() {
  int *x = (int *)malloc(4096), *d = nullptr;
  if (cudaHostRegister(x, 4096, cudaHostRegisterDefault) || cudaMalloc(&d, 4096)) return 1; // here
  x[0] = 7;
  const bool failed = cudaMemcpy(d, x, 4, cudaMemcpyHostToDevice);
  cudaFree(d);
  cudaHostUnregister(x); // twin
  free(x);
  return failed;
}
