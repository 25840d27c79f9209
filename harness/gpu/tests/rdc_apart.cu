// Relocatable device code that uses a variable or a function of rdc_other.cu: refused when it is loaded.
#include <cuda_runtime.h>

#ifdef OTHER_VARIABLE
extern __device__ int other;
__global__ void kernel(int *p) { *p = other; }
#else
__device__ int twice_there(int x);
__global__ void kernel(int *p) { *p = twice_there(2); }
#endif

int main() {
  int *d;
  if (cudaMalloc(&d, sizeof(int))) return 2;
  kernel<<<1, 1>>>(d);
  return cudaDeviceSynchronize() != cudaSuccess;
}
