// expect: host.error at only wrong
// says: Leave the launch out where it has nothing to do
// A launch of no block, for an input without elements, fails, and nobody looks.

__global__ void fill(int *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

static int run() {
  const int n = 0;
  int *x = unset(32);
  fill<<<(n + 31) / 32, 32>>>(x, n); // wrong
  if (n) fill<<<(n + 31) / 32, 32>>>(x, n); // twin
  cudaFree(x);
  return 0;
}
