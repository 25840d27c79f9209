// expect: kernel.assert
// A device assertion that does not hold.
#include <cassert>
#include <cstdio>
__global__ void check(const int *x) {
  assert(x[threadIdx.x] < 20);  // here
}
int main() {
  int h[32], *x;
  for (int i = 0; i < 32; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  check<<<1, 32>>>(x);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  return e == cudaErrorAssert ? 0 : 1;
}
