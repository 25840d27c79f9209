// expect: nothing
// The host is called back by a stream, asks there for an event, and polls the stream.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *a, int *b) {
  const int t = threadIdx.x, x = block_scan(a[t]);
  b[t] = x;
}
static cudaEvent_t scanned;
static void CUDART_CB told(void *x) { *(int *)x = cudaEventQuery(scanned) == cudaSuccess; }

static cudaError_t run(const int *in, int *out, int n) {
  int done = 0;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaEventCreateWithFlags(&scanned, cudaEventDisableTiming);
  scan<<<1, 64, 0, s>>>(in, out);
  cudaEventRecord(scanned, s);
  cudaLaunchHostFunc(s, told, &done);
  while (cudaStreamQuery(s) == cudaErrorNotReady) {
  }
  cudaStreamSynchronize(s);
  cudaStreamDestroy(s), cudaEventDestroy(scanned);
  return done ? cudaGetLastError() : cudaErrorUnknown;
}
