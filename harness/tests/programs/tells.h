#pragma once
// Checks of what a call of the runtime answers, and of what it leaves as the last error. Every line was
// compared with CUDA 13.0 (driver 580) on an H200.
#include "check.h"

#define GIVES(call, want)                                                                                    \
  do {                                                                                                       \
    cudaError_t got_ = (call);                                                                               \
    CHECK(got_ == (want), "%s: %s, want %s", #call, cudaGetErrorName(got_), cudaGetErrorName(want));         \
  } while (0)
// The error is the call's result, and the last error, which is cleared.
#define TELLS(call, want)                                                                                    \
  do {                                                                                                       \
    (void)cudaGetLastError();                                                                                \
    cudaError_t got_ = (call), last_ = cudaGetLastError();                                                   \
    CHECK(got_ == (want), "%s: %s, want %s", #call, cudaGetErrorName(got_), cudaGetErrorName(want));         \
    CHECK(last_ == got_, "%s: %s, but the last error is %s", #call, cudaGetErrorName(got_),                  \
          cudaGetErrorName(last_));                                                                          \
  } while (0)
#define IS(value, want)                                                                                      \
  CHECK((long long)(value) == (want), "%s is %lld, want %lld", #value, (long long)(value), (long long)(want))

__global__ static void fill(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}
