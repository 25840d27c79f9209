// expect: memory.bounds at here
// says: let the launch ask for more
// A sum for each warp: the number of warps is rounded down, and its bytes are right.

__global__ void sums(int *out) {
  extern __shared__ int sum[];
  if (threadIdx.x % 32 == 0) sum[threadIdx.x / 32] = threadIdx.x; // here
  __syncthreads();
  if (threadIdx.x == 0) out[0] = sum[0] + sum[blockDim.x / 32 - 1];
}
static int run() {
  int *out = unset(4);
  sums<<<1, 112, (112 + 31) / 32 * sizeof(int)>>>(out); // twin
  sums<<<1, 112, 112 / 32 * sizeof(int)>>>(out); // wrong
  return ended_with(cudaErrorIllegalAddress);
}
