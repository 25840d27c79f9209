// What rdc_apart.cu uses.
#include <cuda_runtime.h>

__device__ int other = 7;
__device__ __noinline__ int twice_there(int x) { return 2 * x; }
