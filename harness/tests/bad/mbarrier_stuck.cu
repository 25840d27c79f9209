// A barrier in shared memory that expects one arrival more than there are threads: all wait for ever.
// With -DENOUGH it is right; with -DNO_WAIT the threads read what others wrote before they know that it is written.
#include <cstdio>
#include <cuda/barrier>

__global__ void turn(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int s[64];
  int t = threadIdx.x;
#ifdef ENOUGH
  if (t == 0) init(&bar, 64);
#else
  if (t == 0) init(&bar, 65);
#endif
  __syncthreads();
  s[t] = t;
  auto token = bar.arrive();
#ifndef NO_WAIT
  bar.wait(std::move(token));  // waits for ever without ENOUGH
#endif
  out[t] = s[63 - t];  // a race with NO_WAIT
}

int main() {
  int *out;
  cudaMalloc((void **)&out, 64 * sizeof(int));
  turn<<<1, 64>>>(out);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  cudaFree(out);
  return e != cudaSuccess;
}
