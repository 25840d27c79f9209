// expect: race.host at here
// The program asks a stream whether its copy is there, and does not look at the answer.

__global__ void set(int *d) { d[threadIdx.x] = threadIdx.x; }
static int run() {
  int *d, *h;
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaMalloc(&d, 256), cudaMallocHost(&h, 256), memset(h, 0, 256);
  set<<<1, 64, 0, s>>>(d);
  cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, s);
  while (cudaStreamQuery(s) == cudaErrorNotReady) continue; // twin
  cudaStreamQuery(s);                                       // wrong
  const int last = h[63];                                   // here
  cudaStreamSynchronize(s);
  cudaFree(d), cudaFreeHost(h), cudaStreamDestroy(s);
  return corpus_twin && last != 63;
}
