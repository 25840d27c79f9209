// Checks for the CUDA test programs: every program compares its own results with the host's and exits 1 on a
// difference. A program that checked nothing fails too.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>

static int sl_checks, sl_failures;

#define CHECK(cond, ...)                                                                                     \
  do {                                                                                                       \
    sl_checks++;                                                                                             \
    if (!(cond)) {                                                                                           \
      if (sl_failures++ < 10) {                                                                              \
        printf("%s:%d: %s: ", __FILE__, __LINE__, #cond);                                                    \
        printf(__VA_ARGS__);                                                                                 \
        printf("\n");                                                                                        \
      }                                                                                                      \
    }                                                                                                        \
  } while (0)

#define CUDA(call)                                                                                           \
  do {                                                                                                       \
    cudaError_t e_ = (call);                                                                                 \
    if (e_ != cudaSuccess) {                                                                                 \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(e_));                          \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

static inline int check_done(const char *name) {
  printf("%s: %d checks, %d failed\n", name, sl_checks, sl_failures);
  return sl_checks > 0 && sl_failures == 0 ? 0 : 1;
}

// A device copy of a host vector, and back.
template <typename T> struct Dev {
  T *p = nullptr;
  size_t n;
  explicit Dev(size_t n_) : n(n_) {
    CUDA(cudaMalloc((void **)&p, (n ? n : 1) * sizeof(T)));
    CUDA(cudaMemset(p, 0xA5, (n ? n : 1) * sizeof(T)));
  }
  explicit Dev(const std::vector<T> &h) : Dev(h.size()) {
    if (n) CUDA(cudaMemcpy(p, h.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~Dev() { cudaFree(p); }
  Dev(const Dev &) = delete;
  std::vector<T> get() const {
    std::vector<T> h(n);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
    if (n) CUDA(cudaMemcpy(h.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
    return h;
  }
  operator T *() const { return p; }
};

template <typename T>
static void check_equal(const char *what, const std::vector<T> &got, const std::vector<T> &want) {
  size_t bad = 0, first = 0;
  if (got.size() != want.size()) {
    CHECK(false, "%s: %zu elements, want %zu", what, got.size(), want.size());
    return;
  }
  for (size_t i = 0; i < got.size(); i++)
    if (memcmp(&got[i], &want[i], sizeof(T)) != 0 && bad++ == 0) first = i;
  CHECK(bad == 0, "%s: %zu of %zu wrong, first at %zu: got %.9g want %.9g", what, bad, got.size(), first,
        (double)got[first], (double)want[first]);
}

// Element i of a fixed pseudo-random sequence.
static inline unsigned hash_u32(unsigned i) {
  i ^= i >> 16;
  i *= 0x7feb352du;
  i ^= i >> 15;
  i *= 0x846ca68bu;
  i ^= i >> 16;
  return i;
}
