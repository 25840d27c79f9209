// expect: nothing
// Managed memory, and pinned memory for copies that are awaited.

static const task TASK = {INCLUSIVE, 64, 1};

__global__ void scan(const int *a, int *b) {
  const int t = threadIdx.x, x = block_scan(a[t]);
  b[t] = x;
}

static cudaError_t run(const int *in, int *out, int n) {
  int *m, *h;
  cudaMallocManaged(&m, 256);
  cudaMallocHost(&h, 256);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMemcpyAsync(h, in, 256, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  memcpy(m, h, 256);
  scan<<<1, 64, 0, s>>>(m, m);
  cudaMemcpyAsync(out, m, 256, cudaMemcpyDefault, s);
  cudaStreamSynchronize(s);
  cudaStreamDestroy(s);
  cudaFree(m);
  cudaFreeHost(h);
  return cudaGetLastError();
}
