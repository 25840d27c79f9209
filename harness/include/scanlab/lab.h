// What a student's kernel.cu includes: the shared types, the entry points of the labs, SL_TODO and SL_CUDA.
//
// Every entry point gets device pointers that the harness owns, starts kernels, and returns the first CUDA
// error (cudaSuccess if none). It need not synchronise: the harness waits for the device. n is in elements;
// for n == 0 it must return cudaSuccess and write nothing. Inputs keep their values. Temporary device memory
// belongs to the entry point, which frees it.
#ifndef SCANLAB_LAB_H
#define SCANLAB_LAB_H

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdio.h> // printf, in kernels too
#include "scanlab/types.h"

// Marks where the student's code goes. It does nothing, so a skeleton compiles and computes nothing.
#define SL_TODO(id) ((void)0)

// If the CUDA call fails, returns its error from the enclosing function, which returns cudaError_t.
#define SL_CUDA(call)                                                                                        \
  do {                                                                                                       \
    cudaError_t sl_cuda_error_ = (call);                                                                     \
    if (sl_cuda_error_ != cudaSuccess) return sl_cuda_error_;                                                \
  } while (0)

#ifdef __cplusplus
extern "C" {
#endif

// The entry points of labs.def, by signature.
//
// ONE_BLOCK: the sums of d_in[0..n) into d_out[0..n), by one block. The lab's row says whether they are
// inclusive or exclusive, and up to which n the entry point is called.
#define SL_ONE_BLOCK(entry, sort) cudaError_t entry(const float *d_in, float *d_out, int n);

// ANY_PAIR: scan of any n with any operator. in, out: device arrays of n elements, apart. Valid pairs: SL_ADD
// with SL_F32, SL_I32, SL_U32; SL_MAX with SL_F32, SL_I32, SL_U32; SL_COMPOSE with SL_AFFINE.
typedef struct lab05_args {
  const void *in;
  void *out;
  size_t n;
  sl_type type;
  sl_op op;
  sl_kind kind;
  sl_tile tile;
} lab05_args;
#define SL_ANY_PAIR(entry, sort) cudaError_t entry(const lab05_args *args);

// SCAN_AND_SORT. Part A: exclusive sum of u32 in ONE kernel launch, any n. A memset or a symbol reset before
// it is allowed.
//
// Parts B, C, D: stable ascending radix sort. keys_in is not changed; the result is in keys_out. type:
// SL_U32, SL_I32 or SL_F32 (order of the bits by IEEE 754 totalOrder: -NaN < -inf < .. < -0 < +0 < .. <
// +NaN). bits: digit width of a pass, 1 (part B, by the scan of part A) or 2..8 (part C).
// values_in/values_out: u32 numbers that move with their keys, or both NULL (keys only).
typedef struct lab06_args {
  const void *keys_in;
  void *keys_out;
  const uint32_t *values_in;
  uint32_t *values_out;
  size_t n;
  sl_type type;
  int bits;
} lab06_args;
#define SL_SCAN_AND_SORT(entry, sort)                                                                        \
  cudaError_t entry(const uint32_t *d_in, uint32_t *d_out, size_t n);                                        \
  cudaError_t sort(const lab06_args *args);

#define SL_LAB(number, name, title, signature, entry, sort, ...) SL_##signature(entry, sort)
#include "scanlab/labs.def"
#undef SL_ONE_BLOCK
#undef SL_ANY_PAIR
#undef SL_SCAN_AND_SORT

#ifdef __cplusplus
}
#endif
#endif
