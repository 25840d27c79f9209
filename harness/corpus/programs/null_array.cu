// expect: memory.bounds at only here
// says: null pointer
// The array was never allocated. Far elements of a null pointer are no host memory.

__global__ void number(int *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i; // here
}
static int run() {
  const int n = 20000;
  int *x = nullptr;
  if (cudaMalloc(&x, n * sizeof(int))) return 1; // twin
  number<<<(n + 255) / 256, 256>>>(x, n);
  return ended_with(cudaErrorIllegalAddress);
}
