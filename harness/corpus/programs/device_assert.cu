// expect: kernel.assert at only here
// A device assertion that does not hold.

__global__ void check(const int *x) {
  assert(x[threadIdx.x] < 20); // here
}
static int run() {
  int h[32], *x;
  for (int i = 0; i < 32; i++) h[i] = i / 2; // twin
  for (int i = 0; i < 32; i++) h[i] = i; // wrong
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  check<<<1, 32>>>(x);
  return ended_with(cudaErrorAssert);
}
