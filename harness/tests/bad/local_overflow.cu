// expect: memory.bounds
// A digit counter of every thread, one element too short for the largest digit.
#include <cstdio>
__global__ void count(const unsigned *x, int *out, int n) {
  int digits[15];
  for (int d = 0; d < 15; d++) digits[d] = 0;
  for (int i = 0; i < n; i++) digits[x[i] & 15]++;  // here
  int most = 0;
  for (int d = 0; d < 15; d++) most = max(most, digits[d]);
  out[threadIdx.x] = most;
}
int main() {
  unsigned h[16], *x;
  int *out;
  for (int i = 0; i < 16; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&out, 128);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  count<<<1, 32>>>(x, out, 16);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  return e == cudaErrorIllegalAddress ? 0 : 1;
}
