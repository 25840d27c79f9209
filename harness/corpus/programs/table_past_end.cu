// expect: memory.bounds at only wrong
// says: factors[16]
// An index leaves a __constant__ array. That one is named, not the kernel's own array, which lies next.

__constant__ float factors[16];

__global__ void scale(float *x, int n) {
  const int i = threadIdx.x;
  if (i < n) x[i] *= factors[i % 16]; // twin
  if (i < n) x[i] *= factors[i]; // wrong
}
static int run() {
  float h[16] = {1}, *x;
  if (cudaMemcpyToSymbol(factors, h, sizeof h) || cudaMalloc(&x, 128) || cudaMemset(x, 0, 128)) return 1;
  scale<<<1, 32>>>(x, 32);
  return ended_with(cudaErrorIllegalAddress);
}
