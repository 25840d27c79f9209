// expect: host.error at here
// The kind of the copy says the opposite of what the pointers say.
#include "../corpus.h"

static int run() {
  int *x, h[4] = {1, 2, 3, 4};
  if (cudaMalloc(&x, sizeof h)) return 1;
#ifdef SL_TWIN
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
#else
  cudaMemcpy(x, h, sizeof h, cudaMemcpyDeviceToHost); // here
#endif
  printf("copied\n");
  cudaFree(x);
  return 0;
}
