// expect: memory.bounds at only wrong
// says: by an unsigned index that went below 0
// The left neighbour of element 0, by an unsigned index.

__global__ void differences(const int *x, int *out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i > 0 ? x[i] - x[i - 1] : x[i]; // twin
  if (i < n) out[i] = x[i] - x[i - 1]; // wrong
}
static int run() {
  const unsigned n = 1000;
  int *x = filled(n * sizeof(int)), *out = unset(n * sizeof(int));
  differences<<<(n + 255) / 256, 256>>>(x, out, n);
  return ended_with(cudaErrorIllegalAddress);
}
