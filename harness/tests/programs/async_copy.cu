// cp.async as __pipeline_memcpy_async emits it at compute_80: tiles of 4, 8 and 16 bytes a thread are copied
// to shared memory two stages ahead, the last one in part with zeros behind its end.
#include <cuda_pipeline.h>
#include <vector>
#include "check.h"

template <typename T> __global__ void stream(const T *in, T *out, int tiles, int last_bytes) {
  __shared__ T stage[2][128];
  int t = threadIdx.x, me = blockIdx.x * tiles;
  auto fetch = [&](int k) {
    size_t zeros = k == tiles - 1 ? sizeof(T) - last_bytes : 0;
    __pipeline_memcpy_async(&stage[k & 1][t], &in[(me + k) * 128 + t], sizeof(T), zeros);
    __pipeline_commit();
  };
  fetch(0);
  for (int k = 0; k < tiles; k++) {
    if (k + 1 < tiles) fetch(k + 1);
    __pipeline_wait_prior(k + 1 < tiles ? 1 : 0);
    __syncthreads();
    out[(me + k) * 128 + t] = stage[k & 1][127 - t];
    __syncthreads();
  }
}

template <typename T> static void test(const char *name, int last_bytes) {
  enum { TILES = 5, BLOCKS = 3, N = TILES * BLOCKS * 128 };
  std::vector<unsigned char> in(N * sizeof(T)), got(in.size()), want(in.size());
  for (size_t k = 0; k < in.size(); k++) in[k] = (unsigned char)(k * 31 + k / 251);
  for (size_t i = 0; i < N; i++)
    for (size_t b = 0; b < sizeof(T); b++) {
      size_t from = i / 128 * 128 + 127 - i % 128;
      bool zero = i / 128 % TILES == TILES - 1 && b >= (size_t)last_bytes;
      want[i * sizeof(T) + b] = zero ? 0 : in[from * sizeof(T) + b];
    }
  T *a, *b;
  cudaMalloc(&a, in.size());
  cudaMalloc(&b, in.size());
  cudaMemcpy(a, in.data(), in.size(), cudaMemcpyHostToDevice);
  stream<T><<<BLOCKS, 128>>>(a, b, TILES, last_bytes);
  cudaMemcpy(got.data(), b, got.size(), cudaMemcpyDeviceToHost);
  check_equal(name, got, want);
  cudaFree(a), cudaFree(b);
}

int main() {
  test<int>("4 bytes", 2);
  test<int2>("8 bytes", 8);
  test<int4>("16 bytes", 5);
  return check_done("async_copy");
}
