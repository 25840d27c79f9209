// expect: memory.bounds at only here
// A grid of whole blocks and no guard: the last threads write past the array.

__global__ void no_guard(int *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1; // here
}
static int run() {
  int *x = unset(1000 * sizeof(int));
  no_guard<<<4, 250>>>(x); // twin
  no_guard<<<4, 256>>>(x); // wrong
  return ended_with(cudaErrorIllegalAddress);
}
