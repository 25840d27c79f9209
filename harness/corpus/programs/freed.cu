// expect: memory.freed at only wrong
// The array was freed before the kernel used it.

__global__ void use(int *x) {
  x[threadIdx.x] += 1;
}
static int run() {
  int *x = filled(128);
  cudaFree(x); // wrong
  use<<<1, 32>>>(x);
  return ended_with(cudaErrorIllegalAddress);
}
