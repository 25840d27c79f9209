// expect: nothing
// Two streams that an event orders.

static const task TASK = {INCLUSIVE, 256, 1};

__global__ void tiles(const int *in, int *out, int *p) {
  const int i = blockIdx.x * 64 + threadIdx.x, x = block_scan(in[i]);
  out[i] = x;
  if (threadIdx.x == 63) p[blockIdx.x] = x;
}
__global__ void add(int *out, const int *p) {
  int b = 0;
  for (int k = 0; k < blockIdx.x; k++) b += p[k];
  out[blockIdx.x * 64 + threadIdx.x] += b;
}

static cudaError_t run(const int *in, int *out, int n) {
  int *p;
  cudaStream_t a, b;
  cudaEvent_t e;
  cudaMalloc(&p, 64);
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
  cudaDeviceSynchronize();
  tiles<<<4, 64, 0, a>>>(in, out, p);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  add<<<4, 64, 0, b>>>(out, p);
  cudaEventRecord(e, b);
  cudaEventSynchronize(e);
  cudaEventDestroy(e);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  cudaFree(p);
  return cudaGetLastError();
}
