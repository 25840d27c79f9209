// expect: progress.deadlock at only here
// Block 0 waits for a flag that nobody sets.

__global__ void wait_for(volatile int *flag, int *out) {
  if (threadIdx.x == 0)
    while (*flag == 0) {} // here
  __syncthreads();
  out[threadIdx.x] = 1;
}
static int run() {
  int *x = filled(256);
  cudaMemset(x, 1, 4); // twin
  wait_for<<<2, 32>>>(x, x + 32);
  return ended_with(cudaErrorLaunchTimeout);
}
