// expect: race.global at here
// Memory goes back in another stream than that of the kernel which still uses it; no event orders the two.

__global__ void fill(int *x) {
  x[threadIdx.x] = threadIdx.x; // here
}
static int run() {
  cudaStream_t s, t;
  cudaEvent_t filled;
  int *x;
  cudaStreamCreate(&s), cudaStreamCreate(&t);
  cudaEventCreate(&filled);
  if (cudaMallocAsync(&x, 256, s)) return 1;
  fill<<<1, 64, 0, s>>>(x);
  cudaEventRecord(filled, s); // twin
  cudaStreamWaitEvent(t, filled); // twin
  cudaFreeAsync(x, t);
  if (cudaDeviceSynchronize()) return 1;
  printf("done\n");
  cudaStreamDestroy(s), cudaStreamDestroy(t);
  cudaEventDestroy(filled);
  return 0;
}
