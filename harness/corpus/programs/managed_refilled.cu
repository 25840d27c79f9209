// expect: race.host at here
// The host fills managed memory anew while a kernel may still read it. The second page of the array is never
// written.

__global__ void add(const int *x, int *sum) { atomicAdd(sum, x[threadIdx.x]); }

static int run() {
  enum { N = 64, ROUNDS = 3 };
  int *x, *sum, got;
  cudaMallocManaged(&x, 8192), cudaMalloc(&sum, sizeof *sum), cudaMemset(sum, 0, sizeof *sum);
  for (int round = 0; round < ROUNDS; round++) {
    for (int k = 0; k < N; k++) x[k] = round; // here
    add<<<1, N>>>(x, sum);
    cudaDeviceSynchronize(); // twin
  }
  const cudaError_t e = cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost);
  cudaFree(x), cudaFree(sum);
  return e != cudaSuccess || got != N * (0 + 1 + 2);
}
