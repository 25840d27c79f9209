// expect: race.global at here
// says: Change it by one atomic operation
// A histogram whose threads walk over the data in a loop: two of them may count the same value at the same
// time, in this trip or another.

__global__ void histogram(const int *in, int *bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    bins[in[i]]++; // here // wrong
    atomicAdd(&bins[in[i]], 1); // twin
}
static int run() {
  enum { N = 1000 };
  int h[N], *in, *bins;
  for (int i = 0; i < N; i++) h[i] = i * 7 % 61;
  cudaMalloc(&in, sizeof h), cudaMalloc(&bins, 64 * 4);
  cudaMemset(bins, 0, 64 * 4), cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  histogram<<<2, 64>>>(in, bins, N);
  cudaFree(in), cudaFree(bins);
  return 0;
}
