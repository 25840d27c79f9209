// Right, in another style: no radix sort: runs of two, four, eight .. places are merged, stably; only
// places move.
#include "scanlab/lab.h"

__global__ void sort_kernel(const uint32_t *keys, uint32_t *sorted, uint32_t *order, uint32_t *other,
                            size_t n) {
  uint32_t *from = order, *to = other;
  for (size_t i = 0; i < n; i++) from[i] = (uint32_t)i;
  for (size_t run = 1; run < n; run *= 2) {
    for (size_t first = 0; first < n; first += 2 * run) {
      size_t a = first, b = first + run < n ? first + run : n;
      const size_t mid = b, end = mid + run < n ? mid + run : n;
      for (size_t k = first; k < end; k++)
        to[k] = b >= end || (a < mid && keys[from[a]] <= keys[from[b]]) ? from[a++] : from[b++];
    }
    uint32_t *t = from;
    from = to, to = t;
  }
  for (size_t i = 0; i < n; i++) {
    const uint32_t place = from[i];
    sorted[i] = keys[place];
    order[i] = place;
  }
}

extern "C" cudaError_t lab16_sequential_sort(const uint32_t *d_keys, uint32_t *d_sorted, uint32_t *d_order,
                                             size_t n) {
  if (n == 0) return cudaSuccess;
  uint32_t *other;
  SL_CUDA(cudaMalloc(&other, n * sizeof *other));
  sort_kernel<<<1, 1>>>(d_keys, d_sorted, d_order, other, n);
  cudaError_t e = cudaGetLastError();
  cudaFree(other);
  return e;
}
