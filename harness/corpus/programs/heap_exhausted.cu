// expect: memory.bounds at here
// says: malloc() and new return null
// malloc() in a kernel finds no more room on the device's heap, and nobody tests what it returns. The twin
// has a larger heap.

__global__ void work(int *out) {
  int *p = (int *)malloc(1 << 20);
  p[threadIdx.x] = threadIdx.x;      // here
  out[threadIdx.x] = p[threadIdx.x]; // here
  free(p);
}
static int run() {
  int *out;
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 96 << 20); // twin
  cudaMalloc(&out, 256);
  work<<<1, 64>>>(out);
  return ended_with(cudaErrorIllegalAddress);
}
