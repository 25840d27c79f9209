// For `sim --cores`: kernels in several streams, or from several host threads, large enough for several
// cores. cores streams|threads; prints a sum of each result.
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>
#include <cuda_runtime.h>

enum { BLOCKS = 128, THREADS = 256, N = BLOCKS * THREADS, PARTIES = 3, ROUNDS = 4 };

__global__ void stir(unsigned *a, unsigned seed) { // blocks are independent
  unsigned k = blockIdx.x * THREADS + threadIdx.x, x = a[k] + seed;
  for (int i = 0; i < 24; i++) x = x * 1664525u + 1013904223u + (x >> 9);
  a[k] = x;
}
__global__ void count(const unsigned *a, unsigned *bins) { atomicAdd(&bins[a[blockIdx.x * THREADS + threadIdx.x] >> 24], 1u); }
__global__ void first_come(const unsigned *a, unsigned *bins) { // blocks are not
  __shared__ unsigned place;
  if (threadIdx.x == 0) place = atomicAdd(&bins[256], 1u);
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(&bins[257 + place % 64], a[blockIdx.x * THREADS] + place);
}

static void party(unsigned k, cudaStream_t s, unsigned *sum) {
  static const std::vector<unsigned> zeros(N, 0);
  std::vector<unsigned> h(N), b(512);
  unsigned *a, *bins;
  cudaMalloc(&a, N * 4), cudaMalloc(&bins, 512 * 4);
  cudaMemcpyAsync(a, zeros.data(), N * 4, cudaMemcpyHostToDevice, s);
  cudaMemsetAsync(bins, 0, 512 * 4, s);
  for (unsigned r = 0; r < ROUNDS; r++) {
    stir<<<BLOCKS, THREADS, 0, s>>>(a, 100 * k + r);
    count<<<BLOCKS, THREADS, 0, s>>>(a, bins);
    first_come<<<BLOCKS, THREADS, 0, s>>>(a, bins);
  }
  cudaMemcpyAsync(h.data(), a, N * 4, cudaMemcpyDeviceToHost, s);
  cudaMemcpyAsync(b.data(), bins, 512 * 4, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  *sum = 17;
  for (unsigned x : h) *sum = *sum * 31 + x;
  for (unsigned x : b) *sum = *sum * 31 + x;
  cudaFree(a), cudaFree(bins);
}

int main(int argc, char **argv) {
  bool threads = argc > 1 && !strcmp(argv[1], "threads");
  unsigned sums[PARTIES];
  cudaStream_t s[PARTIES];
  std::vector<std::thread> others;
  for (unsigned k = 0; k < PARTIES; k++) {
    cudaStreamCreate(&s[k]);
    if (threads)
      others.emplace_back(party, k, s[k], &sums[k]);
    else
      party(k, s[k], &sums[k]);
  }
  for (std::thread &t : others) t.join();
  for (unsigned k = 0; k < PARTIES; k++) printf("%u\n", sums[k]), cudaStreamDestroy(s[k]);
  return cudaGetLastError() != cudaSuccess;
}
