// Four threads of the host with a stream each: launches, copies and waits in whatever order they come.
#include <thread>
#include "check.h"

__global__ void running_sums(const int *in, int *out, int n) {
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = sum += in[i];
}

static cudaError_t work(int me, std::vector<int> *out) {
  const int n = 256, lanes = 32;
  std::vector<int> in(n, me + 1);
  int *d_in = nullptr, *d_out = nullptr;
  cudaStream_t s = nullptr;
  cudaError_t e = cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  if (!e) e = cudaMalloc(&d_in, n * sizeof(int));
  if (!e) e = cudaMalloc(&d_out, n * sizeof(int));
  for (int k = 0; k < 20 && !e; k++) {
    in[0] = k;
    e = cudaMemcpyAsync(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice, s);
    running_sums<<<1, lanes, 0, s>>>(d_in, d_out, n);
    if (!e) e = cudaMemcpyAsync(out->data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost, s);
    if (!e) e = cudaStreamSynchronize(s);
  }
  cudaFree(d_in), cudaFree(d_out);
  if (s) cudaStreamDestroy(s);
  return e;
}

int main() {
  std::vector<int> out[4];
  cudaError_t e[4];
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    out[t].resize(256);
    threads.emplace_back([t, &out, &e] { e[t] = work(t, &out[t]); });
  }
  for (std::thread &t : threads) t.join();
  for (int t = 0; t < 4; t++) {
    CHECK(e[t] == cudaSuccess, "thread %d: %s", t, cudaGetErrorString(e[t]));
    for (int i = 0; i < 256; i++) {
      int want = (i % 32 == 0 ? 19 : t + 1) + i / 32 * (t + 1);
      CHECK(out[t][i] == want, "thread %d [%d]: %d, not %d", t, i, out[t][i], want);
    }
  }
  return check_done("host_threads");
}
