// MUST(call): ends a CUDA program with the error of a CUDA call, if there is one: where, which call, what it
// means; exit code 2.
//
// For programs of our own that check or measure, which cannot go on. Kernels for labs return their errors
// (lab.h).
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
