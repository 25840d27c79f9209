// expect: progress.deadlock at only here
// Half of the threads wait at the barrier, the others for a flag that is set behind it.

__global__ void half(volatile int *flag) {
  if (threadIdx.x < 32) {
    __syncthreads(); // wrong
    *flag = 1;
  } else {
    while (*flag == 0) {} // here
  }
}
static int run() {
  int *x = filled(256);
  half<<<1, 64>>>(x);
  return ended_with(cudaErrorLaunchTimeout);
}
