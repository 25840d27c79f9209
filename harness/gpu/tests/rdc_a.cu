// Relocatable device code: a kernel here, another in rdc_b.cu; each uses a function and a variable beside it.
#include <cstdio>
#include <cuda_runtime.h>

void launch_b(int *p);
__device__ int value = 5;
__device__ int twice(int x) { return 2 * x; }
__global__ void kernel_a(int *p) { *p = twice(value); }

int main() {
  int *d, a = 0, b = 0;
  if (cudaMalloc(&d, sizeof(int))) return 1;
  kernel_a<<<1, 1>>>(d);
  if (cudaMemcpy(&a, d, sizeof(int), cudaMemcpyDeviceToHost)) return 1;
  launch_b(d);
  if (cudaMemcpy(&b, d, sizeof(int), cudaMemcpyDeviceToHost)) return 1;
  printf("%d %d\n", a, b);
  return a == 10 && b == 11 ? 0 : 1;
}
