// expect: memory.bounds at only here
// A digit counter of every thread, one element too short for the largest digit.

enum { DIGITS = 16 }; // twin
enum { DIGITS = 15 }; // wrong
__global__ void count(const unsigned *x, int *out, int n) {
  int digits[DIGITS];
  for (int d = 0; d < DIGITS; d++) digits[d] = 0;
  for (int i = 0; i < n; i++) digits[x[i] & 15]++; // here
  int most = 0;
  for (int d = 0; d < DIGITS; d++) most = max(most, digits[d]);
  out[threadIdx.x] = most;
}
static int run() {
  unsigned h[16], *x;
  int *out;
  for (int i = 0; i < 16; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&out, 128);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  count<<<1, 32>>>(x, out, 16);
  return ended_with(cudaErrorIllegalAddress);
}
