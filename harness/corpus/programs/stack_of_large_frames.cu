// expect: stack.overflow at only here
// A recursion of 20 calls, each with an array of its own: 5 KiB of stack, and a thread has 1 KiB.

__device__ __noinline__ int depth(const volatile int *x, int n) {
  int own[64];
  for (int k = 0; k < 64; k++) own[k] = x[k & 31] + n;
  if (n == 0) return own[x[0] & 63];
  return depth(x, n - 1) + own[(x[1] + n) & 63]; // here
}
__global__ void dive(int *x) { x[32 + threadIdx.x] = depth(x, 20); }
static int run() {
  int *x = filled(256);
  cudaDeviceSetLimit(cudaLimitStackSize, 16 << 10); // twin
  dive<<<1, 32>>>(x);
  return ended_with(cudaErrorIllegalAddress);
}
