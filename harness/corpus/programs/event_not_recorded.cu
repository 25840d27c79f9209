// expect: host.error at here
// says: cudaEventElapsedTime failed with
// The time up to an event that was never recorded.

__global__ void number(int *x) { x[threadIdx.x] = threadIdx.x; }

static int run() {
  int *x;
  float ms = -1;
  cudaEvent_t from, to;
  cudaMalloc(&x, 256);
  cudaEventCreate(&from), cudaEventCreate(&to);
  cudaEventRecord(from);
  number<<<1, 64>>>(x);
  cudaEventRecord(to); // twin
  cudaDeviceSynchronize();
  cudaEventElapsedTime(&ms, from, to); // here
  cudaFree(x), cudaEventDestroy(from), cudaEventDestroy(to);
  return (ms >= 0) != corpus_twin;
}
