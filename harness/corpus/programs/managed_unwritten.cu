// expect: memory.uninit at read
// The kernel stores its result only if there is something to add up; the host reads it in any case.

__global__ void sum(const int *x, int n, int *total) {
  if (threadIdx.x < n) atomicAdd(total, x[threadIdx.x]);
}
static int run() {
  int *x, *total, n = 0;
  if (cudaMallocManaged(&x, 4096) || cudaMallocManaged(&total, sizeof *total)) return 1;
  *total = 0; // twin
  sum<<<1, 32>>>(x, n, total);
  cudaDeviceSynchronize();
  const volatile int *result = total;
  const int got = *result; // read
  cudaFree(x);
  cudaFree(total);
  return got == 1;
}
