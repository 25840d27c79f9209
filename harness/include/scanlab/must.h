// MUST(call): if the CUDA call fails, prints where, which call and what the error means, and exits with 2.
//
// For our own programs that check or measure. Kernels of labs return their errors (lab.h).
#ifndef SCANLAB_MUST_H
#define SCANLAB_MUST_H

#include <stdio.h>
#include <stdlib.h>

#define MUST(call)                                                                                           \
  do {                                                                                                       \
    const cudaError_t error_ = (call);                                                                       \
    if (error_ != cudaSuccess) {                                                                             \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));             \
      exit(2);                                                                                               \
    }                                                                                                        \
  } while (0)

#endif
