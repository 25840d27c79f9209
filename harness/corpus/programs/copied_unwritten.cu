// expect: memory.uninit at wrong
// says: of which nobody has written a byte: 256 bytes
// The kernel writes one array, and the host copies another one.

__global__ void fill(int *d, int n) { if (threadIdx.x < n) d[threadIdx.x] = 1; }
static int run() {
  int *d = unset(256), *e = unset(256), h[64];
  fill<<<1, 64>>>(d, 64);
  cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost); // twin
  cudaMemcpy(h, e, 256, cudaMemcpyDeviceToHost); // wrong
  cudaFree(d), cudaFree(e);
  return h[3] == 7;
}
