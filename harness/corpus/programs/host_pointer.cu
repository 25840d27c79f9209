// expect: memory.host at only here
// A host pointer used by a kernel.

__global__ void use(int *x) {
  x[threadIdx.x] = 1; // here
}
static int run() {
  int *x; // twin
  cudaMalloc(&x, 128); // twin
  int *x = (int *)malloc(128); // wrong
  use<<<1, 32>>>(x);
  return ended_with(cudaErrorIllegalAddress);
}
