// expect: progress.deadlock at only here
// says: launch the rest as another
// A kernel waits for a flag in pinned memory that the host raises once it runs. That is right on a GPU; here
// the kernel sees what the host had written before the launch, and the finding says so.

__global__ void wait_for_host(volatile int *flag, int *out) {
  if (threadIdx.x == 0)
    while (*flag == 0) {} // here
  __syncthreads();
  out[threadIdx.x] = 1;
}
static int run() {
  int *flag, *out;
  cudaMallocHost(&flag, 4096);
  cudaMalloc(&out, 128);
  *flag = 0;
  *flag = 1; // twin
  wait_for_host<<<1, 32>>>(flag, out);
  *(volatile int *)flag = 1;
  const int as_foreseen = ended_with(cudaErrorLaunchTimeout);
  cudaFreeHost(flag);
  return as_foreseen;
}
