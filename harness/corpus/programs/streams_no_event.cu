// expect: race.global at here
// The second stream does not wait for the first.

__global__ void fill(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; } // here
__global__ void twice(const int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2 * a[i]; // here
}
static int run() {
  int *a, *b, *c;
  cudaStream_t first, second;
  cudaEvent_t filled;
  cudaMalloc(&a, 1024), cudaMalloc(&b, 1024), cudaMalloc(&c, 1024);
  cudaStreamCreate(&first), cudaStreamCreate(&second), cudaEventCreate(&filled);
  fill<<<2, 128, 0, first>>>(a);
  twice<<<2, 128, 0, first>>>(a, c);
  cudaEventRecord(filled, first);
  cudaStreamWaitEvent(second, filled, 0); // twin
  twice<<<2, 128, 0, second>>>(a, b);
  return ended_with(cudaSuccess);
}
