// expect: memory.misaligned at here, memory.uninit
// Shared memory begins with a count of four bytes, so the vectors behind it are not aligned.

__global__ void turn(float *d) {
  extern __shared__ __align__(16) char bytes[];
  float4 *v = (float4 *)(bytes + 4); // wrong
  float4 *v = (float4 *)(bytes + 16); // twin
  if (threadIdx.x == 0) *(int *)bytes = 32;
  v[threadIdx.x] = ((float4 *)d)[threadIdx.x]; // here
  __syncthreads();
  d[threadIdx.x] = v[31 - threadIdx.x].x + *(int *)bytes;
}
static int run() {
  float *d;
  cudaMalloc(&d, 512), cudaMemset(d, 0, 512);
  turn<<<1, 32, 1024>>>(d);
  return ended_with(cudaErrorMisalignedAddress);
}
