// expect: nothing
// The host looks at how far a kernel has come, and at its data when it has waited for the kernel.

__global__ void work(int *data, volatile int *progress) {
  for (int k = 0; k < 8; k++) {
    data[k] = k;
    *progress = k + 1;
  }
}
static int run() {
  int *data, *progress;
  cudaMallocManaged(&data, 4096);
  cudaMallocManaged(&progress, 4096);
  *progress = 0;
  work<<<1, 1>>>(data, progress);
  while (*(volatile int *)progress < 4) {}
  cudaDeviceSynchronize();
  const int got = data[7];
  cudaFree(data);
  cudaFree(progress);
  return got != 7;
}
