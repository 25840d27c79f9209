// expect: host.error
// Elements counted as bytes: the copy is longer than the allocation.
#include <cstdio>

#ifdef MENDED
#define BYTES (n * sizeof(int))
#else
#define BYTES n
#endif
int main() {
  const int n = 100;
  int *x, h[n] = {0};
  if (cudaMalloc(&x, BYTES)) return 1;
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice); // here
  printf("copied\n");
  cudaFree(x);
}
