// nsight_solutions: calls the entry points of the six solutions, so that their kernels can be counted here
// and by Nsight Compute (measured.csv). Sizes are such that lanes and blocks stay idle, too.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "scanlab/lab.h"

namespace lab01 {
#include "../../solutions/01_naive_scan/kernel.cu"
}
namespace lab02 {
#include "../../solutions/02_double_buffer/kernel.cu"
}
namespace lab03 {
#include "../../solutions/03_blelloch/kernel.cu"
}
namespace lab04 {
#include "../../solutions/04_bank_conflicts/kernel.cu"
}
namespace lab05 {
#include "../../solutions/05_arbitrary_size/kernel.cu"
}
namespace lab06 {
#include "../../solutions/06_radix_sort/kernel.cu"
}

// bits: of a sort; 0: the single-pass scan. In lab 05: other than 0 for the naive tile.
static cudaError_t call(int lab, const void *in, void *out, int n, int bits) {
  const float *f_in = (const float *)in;
  float *f_out = (float *)out;
  const lab05_args scan = {in, out, (size_t)n, SL_I32, SL_ADD, SL_INCLUSIVE, bits ? SL_TILE_NAIVE : SL_TILE_EFFICIENT};
  const lab06_args sort = {in, out, NULL, NULL, (size_t)n, SL_U32, bits};
  switch (lab) {
  case 1: return lab01_naive_scan(f_in, f_out, n);
  case 2: return lab02_double_buffer_scan(f_in, f_out, n);
  case 3: return lab03_blelloch_scan(f_in, f_out, n);
  case 4: return lab04_padded_scan(f_in, f_out, n);
  case 5: return lab05_scan(&scan);
  default: return bits ? lab06_sort(&sort) : lab06_single_pass_scan((const uint32_t *)in, (uint32_t *)out, n);
  }
}

static bool run(int lab, int n, int bits) {
  const size_t bytes = n * sizeof(uint32_t);
  uint32_t *in = (uint32_t *)malloc(bytes), *d_in, *d_out;
  for (int i = 0; i < n; i++) { // floats: small whole numbers; keys: scattered bits
    const float f = (float)(i % 7) - 3;
    if (lab < 5) memcpy(in + i, &f, sizeof f);
    else in[i] = (uint32_t)i * 2654435761u >> 8;
  }
  if (cudaMalloc(&d_in, bytes) || cudaMalloc(&d_out, bytes) || cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice)) return false;
  const cudaError_t launched = call(lab, d_in, d_out, n, bits), done = cudaDeviceSynchronize();
  free(in), cudaFree(d_in), cudaFree(d_out);
  return launched == cudaSuccess && done == cudaSuccess;
}

int main() {
  static const int CASES[][3] = {{1, 1024}, {1, 1000}, {2, 1024}, {2, 700}, {3, 1024}, {3, 2048}, {3, 1500},
                                 {4, 1024}, {4, 2048}, {4, 1500}, {5, 100003}, {5, 5000, 1}, {6, 10000}, {6, 10000, 8}};
  for (const int *c : CASES)
    if (!run(c[0], c[1], c[2])) return fprintf(stderr, "nsight_solutions: lab %d, n = %d failed\n", c[0], c[1]), 1;
}
