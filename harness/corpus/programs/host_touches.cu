// expect: memory.host at wrong
// exits: 139
// The host reads an element of an array that cudaMalloc made.

static int run() {
  int *x = filled(64), first = 0;
  if (cudaMemcpy(&first, x, 4, cudaMemcpyDeviceToHost)) return 1; // twin
  printf("%d\n", first); // twin
  printf("%d\n", x[0] + first); // wrong
  cudaFree(x);
  return 0;
}
