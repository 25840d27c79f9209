// expect: memory.copied at here
// says: 4 of the 400 bytes that are copied to the host
// The kernel leaves out the last element, and the host copies all of them.

__global__ void fill(int *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d[i] = i; // twin
  if (i < n - 1) d[i] = i; // wrong
}
static int run() {
  int *d = unset(400), h[100];
  fill<<<1, 128>>>(d, 100);
  cudaMemcpy(h, d, 400, cudaMemcpyDeviceToHost); // here
  cudaFree(d);
  return 0;
}
