// Every thread waits for its own copy alone: what others copied is there after a barrier.
#include <cstdio>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

__global__ void reversed(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = s[63 - t];
}

int main() {
  int *d;
  cudaMalloc(&d, 512), cudaMemset(d, 0, 512);
  reversed<<<1, 64>>>(d, d + 64);
  return cudaDeviceSynchronize() != cudaSuccess || cudaDeviceReset() != cudaSuccess;
}
