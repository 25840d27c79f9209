// expect: memory.host
// The host reads an element of an array that cudaMalloc made.
#include <cstdio>

int main() {
  int *x, first = 0;
  if (cudaMalloc(&x, 64) || cudaMemset(x, 0, 64)) return 1;
#ifdef MENDED
  if (cudaMemcpy(&first, x, 4, cudaMemcpyDeviceToHost)) return 1;
  printf("%d\n", first);
#else
  printf("%d\n", x[0] + first); // here
#endif
  cudaFree(x);
}
