#include <cuda_runtime.h>

__device__ int more(int x) { return x + 1; }
__global__ void kernel_b(int *p) { *p = more(*p); }
void launch_b(int *p) { kernel_b<<<1, 1>>>(p); }
