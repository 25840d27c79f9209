// expect: kernel.illegal at only here
// A table of functions with a hole.

__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ int (*table[2])(int) = {twice, twice}; // twin
__device__ int (*table[2])(int) = {twice, nullptr}; // wrong
__global__ void calls(int *x) {
  x[threadIdx.x] = table[threadIdx.x & 1](threadIdx.x); // here
}
static int run() {
  int *x = unset(128);
  calls<<<1, 32>>>(x);
  return ended_with(cudaErrorIllegalInstruction);
}
