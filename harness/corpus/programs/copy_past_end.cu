// expect: host.error at here
// Elements counted as bytes: the copy is longer than the allocation.
#include "../corpus.h"

static int run() {
  const int n = 100;
  int *x, h[n] = {0};
#ifdef SL_TWIN
  const size_t bytes = n * sizeof(int);
#else
  const size_t bytes = n;
#endif
  if (cudaMalloc(&x, bytes)) return 1;
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice); // here
  printf("copied\n");
  cudaFree(x);
  return 0;
}
