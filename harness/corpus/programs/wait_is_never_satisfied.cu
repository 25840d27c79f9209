// expect: progress.deadlock at here
// says: waits for flag[0] to be more than 1, and it is 1
// The report says what is missing: the block before has stored a smaller value than this one waits for.

__global__ void pass_on(volatile int *flag, volatile int *data) {
  if (blockIdx.x > 0) {
    while (flag[0] < (int)blockIdx.x + 1) { // here
    }
    __threadfence();
  }
  data[blockIdx.x] = blockIdx.x;
  __threadfence();
  flag[0] = blockIdx.x + 2; // twin
  flag[0] = blockIdx.x + 1; // wrong
}
static int run() {
  int *d = filled(64);
  pass_on<<<2, 1>>>(d, d + 1);
  return ended_with(cudaErrorLaunchTimeout);
}
