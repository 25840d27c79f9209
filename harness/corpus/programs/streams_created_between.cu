// expect: race.global at here
// Creating a stream waits for nothing, so the second kernel may run beside the first.

__global__ void fill(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; } // here
__global__ void sum(const int *a, int *total) {
  if (threadIdx.x == 0)
    for (int i = 0; i < 256; i++) *total += a[i]; // here
}
static int run() {
  int *a, *total;
  cudaStream_t s;
  cudaMalloc(&a, 1024), cudaMalloc(&total, 4);
  cudaMemset(total, 0, 4), cudaDeviceSynchronize();
  fill<<<2, 128>>>(a);
  cudaStreamSynchronize(0); // twin
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  sum<<<1, 32, 0, s>>>(a, total);
  return ended_with(cudaSuccess);
}
