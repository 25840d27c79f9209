// expect: nothing
// The host is called back by a stream and polls it.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *a, int *b) {
  const int t = threadIdx.x, x = block_scan(a[t]);
  b[t] = x;
}
static void CUDART_CB told(void *x) { *(int *)x = 1; }

static cudaError_t run(const int *in, int *out, int n) {
  int done = 0;
  cudaStream_t s;
  cudaStreamCreate(&s);
  scan<<<1, 64, 0, s>>>(in, out);
  cudaLaunchHostFunc(s, told, &done);
  while (cudaStreamQuery(s) == cudaErrorNotReady) {
  }
  cudaStreamSynchronize(s);
  cudaStreamDestroy(s);
  return done ? cudaGetLastError() : cudaErrorUnknown;
}
