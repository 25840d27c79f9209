// expect: memory.bounds
// The neighbour to the left of element 0.
#include <cstdio>
__global__ void difference(const int *x, int *out) {
  out[threadIdx.x] = x[threadIdx.x] -
                     x[(int)threadIdx.x - 1];  // here
}
int main() {
  int *x, *out;
  cudaMalloc(&x, 128);
  cudaMalloc(&out, 128);
  cudaMemset(x, 0, 128);
  difference<<<1, 32>>>(x, out);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  return e == cudaErrorIllegalAddress ? 0 : 1;
}
