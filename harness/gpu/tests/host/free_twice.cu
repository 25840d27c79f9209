// expect: memory.freed
// The same allocation is given back twice.
#include <cstdio>

int main() {
  int *x, *y;
  if (cudaMalloc(&x, 64)) return 1;
  y = x;
  cudaFree(x);
#ifdef MENDED
  y = nullptr;
#endif
  cudaFree(y); // here
  cudaGetLastError();
}
