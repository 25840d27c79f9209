// expect: memory.readonly
// A table in constant memory, written by the kernel that reads it.
#include <cstdio>
__constant__ int table[32];
__global__ void rotate(int *out, int *t) {
  out[threadIdx.x] = table[threadIdx.x];
  t[threadIdx.x] = out[threadIdx.x] + 1;  // here
}
int main() {
  int *x, *t;
  cudaMalloc(&x, 128);
  cudaGetSymbolAddress((void **)&t, table);
  rotate<<<1, 32>>>(x, t);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  return e == cudaErrorIllegalAddress ? 0 : 1;
}
