// expect: memory.bounds at each here
// The double buffer needs 2 * n words; n were given.

__global__ void short_buffer(float *x, int n) {
  extern __shared__ float s[];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  s[n + threadIdx.x] = s[n - 1 - threadIdx.x]; // here
  __syncthreads();
  x[threadIdx.x] = s[n + threadIdx.x]; // here
}
static int run() {
  float *x = filled(64 * sizeof(float));
  short_buffer<<<1, 64, 2 * 64 * sizeof(float)>>>(x, 64); // twin
  short_buffer<<<1, 64, 64 * sizeof(float)>>>(x, 64); // wrong
  return ended_with(cudaErrorIllegalAddress);
}
