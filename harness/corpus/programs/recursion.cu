// expect: stack.overflow at only here
// A recursion that does not end.

__device__ __noinline__ int depth(volatile int *x, int n) {
  int below = x[n & 31] == 77 ? 0 : depth(x, n + 1); // here
  return below + x[n & 31];
}
__global__ void dive(int *x) { x[32 + threadIdx.x] = depth(x, threadIdx.x); }
static int run() {
  int *x = unset(256);
  static const int last[32] = {77}; // twin
  cudaMemcpy(x, last, 128, cudaMemcpyHostToDevice); // twin
  cudaMemset(x, 0, 128); // wrong
  dive<<<1, 32>>>(x);
  return ended_with(cudaErrorIllegalAddress);
}
