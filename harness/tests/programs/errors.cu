// Launch and API errors as the runtime reports them: not sticky for bad configurations, sticky after a fault.
#include "tells.h"

__global__ void big_shared(int *x) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  x[threadIdx.x] = s[threadIdx.x ^ 1];
}

int main() {
  int *x = nullptr;
  CUDA(cudaMalloc((void **)&x, 4096));

  fill<<<1, 1025>>>(x, 10);
  GIVES(cudaPeekAtLastError(), cudaErrorInvalidValue);
  GIVES(cudaGetLastError(), cudaErrorInvalidValue);
  GIVES(cudaGetLastError(), cudaSuccess);
  fill<<<0, 32>>>(x, 10);
  GIVES(cudaGetLastError(), cudaErrorInvalidValue);
  fill<<<1, dim3(1, 1, 65)>>>(x, 10);
  GIVES(cudaGetLastError(), cudaErrorInvalidValue);
  fill<<<dim3(1, 65536), 1>>>(x, 10);
  GIVES(cudaGetLastError(), cudaErrorInvalidValue);
  big_shared<<<1, 32, 1 << 20>>>(x);
  GIVES(cudaGetLastError(), cudaErrorInvalidValue);
  GIVES(cudaDeviceSynchronize(), cudaSuccess);

  GIVES(cudaMemcpy(x, nullptr, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  GIVES(cudaGetLastError(), cudaErrorInvalidValue);
  GIVES(cudaMemcpy(x + 1000, x, 4096, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  GIVES(cudaFree((char *)x + 4), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  void *huge = nullptr;
  GIVES(cudaMalloc(&huge, (size_t)1 << 50), cudaErrorMemoryAllocation);
  GIVES(cudaGetLastError(), cudaErrorMemoryAllocation);
  GIVES(cudaFree(nullptr), cudaSuccess);
  GIVES(cudaSetDevice(1000), cudaErrorInvalidDevice);
  (void)cudaGetLastError();

  fill<<<4, 256>>>(x, 1024);
  GIVES(cudaGetLastError(), cudaSuccess);
  std::vector<int> h(1024);
  GIVES(cudaMemcpy(h.data(), x, 4096, cudaMemcpyDeviceToHost), cudaSuccess);
  CHECK(h[1023] == 1023, "got %d", h[1023]);

  cudaEvent_t a, b;
  CUDA(cudaEventCreate(&a));
  CUDA(cudaEventCreate(&b));
  CUDA(cudaEventRecord(a));
  fill<<<4, 256>>>(x, 1024);
  CUDA(cudaEventRecord(b));
  CUDA(cudaEventSynchronize(b));
  float ms = -1;
  CUDA(cudaEventElapsedTime(&ms, a, b));
  CHECK(ms >= 0 && ms < 60000, "elapsed %g", ms);

  fill<<<1, 32>>>((int *)0x10, 32);  // a fault: everything afterwards fails with the same error
  GIVES(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  GIVES(cudaGetLastError(), cudaErrorIllegalAddress);
  GIVES(cudaMemset(x, 0, 16), cudaErrorIllegalAddress);
  GIVES(cudaMalloc(&huge, 16), cudaErrorIllegalAddress);
  return check_done("errors");
}
