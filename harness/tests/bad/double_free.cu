// expect: memory.freed
// Device memory that is given back twice.
#include <cstdio>
__global__ void twice(int *out) {
  int *p = (int *)malloc(16 * sizeof(int));
  p[threadIdx.x & 15] = threadIdx.x;
  out[threadIdx.x] = p[threadIdx.x & 15];
  free(p);
  if (threadIdx.x == 3) free(p);  // here
}
int main() {
  int *x;
  cudaMalloc(&x, 128);
  twice<<<1, 32>>>(x);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  return e == cudaSuccess ? 1 : 0;
}
