// expect: progress.order at here, progress.deadlock at here, schedule.differs
// with: --thorough
// Each block waits for the sum of the block before it. Blocks take their number from blockIdx.

__device__ unsigned next_number;
__global__ void chain(volatile int *sum, int *out) {
  __shared__ int b;
  if (threadIdx.x == 0) b = atomicAdd(&next_number, 1u); // twin
  if (threadIdx.x == 0) b = blockIdx.x; // wrong
  __syncthreads();
  if (threadIdx.x == 0) {
    while (b > 0 && sum[b - 1] == 0) {} // here
    int before = b > 0 ? sum[b - 1] : 0;
    __threadfence();
    out[b] = before;
    __threadfence();
    sum[b] = before + 1;
  }
}
static int run() {
  int *sum, *out;
  const unsigned zero = 0;
  if (cudaMalloc(&sum, 64) || cudaMalloc(&out, 64) || cudaMemset(sum, 0, 64)) return 1;
  if (cudaMemcpyToSymbol(next_number, &zero, sizeof zero)) return 1;
  chain<<<16, 32>>>(sum, out);
  if (cudaDeviceSynchronize()) return 1;
  cudaFree(sum), cudaFree(out);
  return 0;
}
