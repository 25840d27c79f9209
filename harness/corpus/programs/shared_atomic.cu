// expect: memory.bounds at only here
// A histogram of 16 counters, for keys with more than 4 bits.

__global__ void histogram(const unsigned *x, unsigned *out) {
  __shared__ unsigned h[16];
  if (threadIdx.x < 16) h[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&h[x[threadIdx.x]], 1u); // here
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = h[threadIdx.x];
}
static int run() {
  unsigned k[32], *x, *out;
  for (int i = 0; i < 32; i++) k[i] = i & 15; // twin
  for (int i = 0; i < 32; i++) k[i] = i; // wrong
  cudaMalloc(&x, sizeof k);
  cudaMalloc(&out, 64);
  cudaMemcpy(x, k, sizeof k, cudaMemcpyHostToDevice);
  histogram<<<1, 32>>>(x, out);
  return ended_with(cudaErrorIllegalAddress);
}
