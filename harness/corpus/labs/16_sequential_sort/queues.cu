// Lab 16 by queues, as cards were sorted: each pass puts the numbers of the items into a queue of their
// digit, one behind the other, and then hangs the queues together. No item moves before the end.
#include "scanlab/lab.h"

enum { VALUES = 256 };
static const uint32_t NONE = 0xffffffffu;

struct queues {
  uint32_t first[VALUES], last[VALUES];
};

__global__ void sort_kernel(const uint32_t *keys, uint32_t *sorted, uint32_t *order, uint32_t *next,
                            queues *q, uint32_t n) {
  uint32_t front = 0;
  for (uint32_t i = 0; i < n; i++) next[i] = i + 1 < n ? i + 1 : NONE;
  for (int shift = 0; shift < 32; shift += 8) {
    for (int d = 0; d < VALUES; d++) q->first[d] = NONE;
    for (uint32_t i = front; i != NONE;) {
      const uint32_t d = keys[i] >> shift & 255, then = next[i];
      if (q->first[d] == NONE) q->first[d] = i;
      else next[q->last[d]] = i;
      q->last[d] = i;
      next[i] = NONE;
      i = then;
    }
    uint32_t *end = &front;
    for (int d = 0; d < VALUES; d++) {
      if (q->first[d] == NONE) continue;
      *end = q->first[d];
      end = &next[q->last[d]];
    }
  }
  for (uint32_t i = front, k = 0; i != NONE; i = next[i], k++) {
    sorted[k] = keys[i];
    order[k] = i;
  }
}

extern "C" cudaError_t lab16_sequential_sort(const uint32_t *d_keys, uint32_t *d_sorted, uint32_t *d_order,
                                             size_t n) {
  if (n == 0) return cudaSuccess;
  uint32_t *next = nullptr;
  queues *q = nullptr;
  SL_CUDA(cudaMalloc(&next, n * sizeof *next));
  SL_CUDA(cudaMalloc(&q, sizeof *q));
  sort_kernel<<<1, 1>>>(d_keys, d_sorted, d_order, next, q, uint32_t(n));
  const cudaError_t error = cudaGetLastError();
  cudaFree(q);
  cudaFree(next);
  return error;
}
