// expect: race.host at here
// The host looks at pinned memory before the copy to it has ended: it sees what was there before.

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }

static int run() {
  cudaStream_t s;
  cudaEvent_t arrived;
  int *x, *h;
  cudaStreamCreate(&s), cudaEventCreate(&arrived);
  if (cudaMalloc(&x, 256) || cudaMallocHost(&h, 256)) return 1;
  for (int i = 0; i < 64; i++) h[i] = -1;
  fill<<<1, 64, 0, s>>>(x);
  cudaMemcpyAsync(h, x, 256, cudaMemcpyDeviceToHost, s);
  cudaEventRecord(arrived, s);
  cudaEventSynchronize(arrived); // twin
  int seen = h[5]; // here
  cudaStreamSynchronize(s);
  printf("%d %d\n", seen, h[5]);
  if (seen != (corpus_twin ? 5 : -1)) return 1;
  if (h[5] != 5) return 1;
  cudaFree(x), cudaFreeHost(h);
  cudaStreamDestroy(s), cudaEventDestroy(arrived);
  return 0;
}
