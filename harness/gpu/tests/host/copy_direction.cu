// expect: host.error
// The kind of the copy says the opposite of what the pointers say.
#include <cstdio>

#ifdef MENDED
#define KIND cudaMemcpyHostToDevice
#else
#define KIND cudaMemcpyDeviceToHost
#endif
int main() {
  int *x, h[4] = {1, 2, 3, 4};
  if (cudaMalloc(&x, sizeof h)) return 1;
  cudaMemcpy(x, h, sizeof h, KIND); // here
  printf("copied\n");
  cudaFree(x);
}
