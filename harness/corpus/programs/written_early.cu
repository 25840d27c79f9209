// expect: race.host at here
// The host uses its buffer again while a copy may still read it: the device gets some of the new values.

static int run() {
  cudaStream_t s;
  int *x, *h, got[64];
  cudaStreamCreate(&s);
  if (cudaMalloc(&x, 256) || cudaMallocHost(&h, 256)) return 1;
  for (int i = 0; i < 64; i++) h[i] = i;
  cudaMemcpyAsync(x, h, 256, cudaMemcpyHostToDevice, s);
  cudaStreamSynchronize(s); // twin
  h[5] = 99; // here
  cudaMemcpyAsync(got, x, 256, cudaMemcpyDeviceToHost, s); // pageable: the host waits
  printf("%d\n", got[5]);
  if (got[5] != (corpus_twin ? 5 : 99)) return 1;
  cudaFree(x), cudaFreeHost(h);
  cudaStreamDestroy(s);
  return 0;
}
