// expect: memory.uninit at read
// The kernel fills a part of the array; the host adds up all of it.

__global__ void fill(int *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1;
}
static int run() {
  const int n = 5000;
  int *x, sum = 0;
  if (cudaMallocManaged(&x, n * sizeof(int))) return 1;
  fill<<<(n + 255) / 256, 256>>>(x, n); // twin
  fill<<<1, 256>>>(x, n); // wrong
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++)
    sum += x[i]; // read
  cudaFree(x);
  return sum != n; // twin
  return sum == n; // wrong
}
