// A tensor core instruction, which the simulated GPU does not have: refused before anything runs.
#include <cstdio>
__global__ void tensor(unsigned *x) {
  unsigned d0 = 0, d1 = 0, a0 = x[0], a1 = x[1], b0 = x[2];
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};" : "+r"(d0), "+r"(d1) : "r"(a0), "r"(a1), "r"(b0));
  x[threadIdx.x] = d0 + d1;
}
int main() {
  unsigned *x;
  cudaMalloc(&x, 128);
  tensor<<<1, 32>>>(x);
  cudaError_t e = cudaDeviceSynchronize();
  if (e == cudaSuccess) e = cudaGetLastError();
  printf("%s\n", cudaGetErrorName(e));
  return e == cudaSuccess ? 1 : 0;
}
