// expect: race.global at here
// A stream uses memory that another one allocates, and nothing says that it is there by then.

__global__ void fill(int *x) {
  x[threadIdx.x] = threadIdx.x; // here
}
static int run() {
  cudaStream_t s, t;
  cudaEvent_t there;
  int *x;
  cudaStreamCreate(&s), cudaStreamCreate(&t);
  cudaEventCreate(&there);
  if (cudaMallocAsync(&x, 256, s)) return 1;
  cudaEventRecord(there, s); // twin
  cudaStreamWaitEvent(t, there); // twin
  fill<<<1, 64, 0, t>>>(x);
  cudaFreeAsync(x, t);
  if (cudaDeviceSynchronize()) return 1;
  printf("done\n");
  cudaStreamDestroy(s), cudaStreamDestroy(t);
  cudaEventDestroy(there);
  return 0;
}
