// expect: race.host
// The host uses its buffer again while a copy from it may still be reading: the device gets the new values, or some of them.
#include <cstdio>

int main() {
  cudaStream_t s;
  int *x, *h, got[64];
  cudaStreamCreate(&s);
  if (cudaMalloc(&x, 256) || cudaMallocHost(&h, 256)) return 1;
  for (int i = 0; i < 64; i++) h[i] = i;
  cudaMemcpyAsync(x, h, 256, cudaMemcpyHostToDevice, s);
#ifdef MENDED
  cudaStreamSynchronize(s);
#endif
  h[5] = 99; // here
  cudaMemcpyAsync(got, x, 256, cudaMemcpyDeviceToHost, s); // pageable: the host waits
  printf("%d\n", got[5]);
#ifdef MENDED
  if (got[5] != 5) return 1;
#else
  if (got[5] != 99) return 1;
#endif
  cudaFree(x), cudaFreeHost(h);
  cudaStreamDestroy(s);
}
