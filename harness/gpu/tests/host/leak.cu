// expect: memory.leak
// One of two arrays is never freed.
#include <cstdio>

int main() {
  int *x, *y;
  if (cudaMalloc(&x, 64)) return 1;
  if (cudaMalloc(&y, 256)) return 1; // here
  cudaFree(x);
#ifdef MENDED
  cudaFree(y);
#endif
}
