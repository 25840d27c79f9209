// Lab 16 · Sequential counting and radix sort. EDIT ONLY between TODO(...) and END TODO(...).
// Handout: README.md   Check: ./scanlab check 16   One input: ./scanlab run 16 --n 1000
//
// What you write is plain C; one thread runs it. Only the word __device__ and the frame below are CUDA, and they stand here already.
#include "scanlab/lab.h"

#define BITS 8
#define DIGITS (1 << BITS)

// An element that is sorted: a key, and where it stood at first.
typedef struct item {
  uint32_t key, place;
} item;

// The digit of a pass: pass 0 has the lowest bits.
__device__ uint32_t digit_of(uint32_t key, int pass) {
  uint32_t digit = 0;
  // TODO(lab16.1, ~1 line): bits pass * BITS up to (pass + 1) * BITS - 1 of the key
  digit = key >> (pass * BITS) & (DIGITS - 1);
  // END TODO(lab16.1)
  return digit;
}

// count[d]: how many of the n elements have digit d.
__device__ void count_digits(const item *from, size_t n, int pass, uint32_t *count) {
  // TODO(lab16.2, ~2 lines): clear the counts; count
  for (int d = 0; d < DIGITS; d++) count[d] = 0;
  for (size_t i = 0; i < n; i++) count[digit_of(from[i].key, pass)]++;
  // END TODO(lab16.2)
}

// Counts become starts: start[d] is how many elements have a smaller digit than d.
__device__ void counts_to_starts(uint32_t *count) {
  // TODO(lab16.3, ~6 lines): the exclusive scan of the counts, in place
  uint32_t smaller_digits = 0; // elements
  for (int d = 0; d < DIGITS; d++) {
    uint32_t own = count[d];
    count[d] = smaller_digits;
    smaller_digits += own;
  }
  // END TODO(lab16.3)
}

// Each element to the next free place of its digit.
__device__ void move_by_digit(const item *from, item *to, size_t n, int pass, uint32_t *start) {
  // TODO(lab16.4, ~1 line): from the first element to the last; the place is taken then
  for (size_t i = 0; i < n; i++) to[start[digit_of(from[i].key, pass)]++] = from[i];
  // END TODO(lab16.4)
}

// Sorts `items` by the whole key, with room for n elements in `other`. The result is in `items`.
__device__ void radix_sort(item *items, item *other, size_t n, uint32_t *count) {
  // TODO(lab16.5, ~6 lines): a counting sort by each digit, the lowest first; the two arrays change places after each
  for (int pass = 0; pass < 32 / BITS; pass++) {
    count_digits(items, n, pass, count);
    counts_to_starts(count);
    move_by_digit(items, other, n, pass, count);
    item *sorted = other;
    other = items, items = sorted;
  }
  // END TODO(lab16.5)
}

// One thread of one block runs this.
__global__ void sort_kernel(const uint32_t *keys, uint32_t *sorted, uint32_t *order, item *items, uint32_t *count, size_t n) {
  // TODO(lab16.6, ~3 lines): an item of each key, sort them with the second half of `items` as room, store keys and places
  for (size_t i = 0; i < n; i++) items[i].key = keys[i], items[i].place = (uint32_t)i;
  radix_sort(items, items + n, n, count);
  for (size_t i = 0; i < n; i++) sorted[i] = items[i].key, order[i] = items[i].place;
  // END TODO(lab16.6)
}

extern "C" cudaError_t lab16_sequential_sort(const uint32_t *d_keys, uint32_t *d_sorted, uint32_t *d_order, size_t n) {
  if (n == 0) return cudaSuccess;
  item *d_items;
  uint32_t *d_count;
  SL_CUDA(cudaMalloc(&d_items, 2 * n * sizeof *d_items));
  SL_CUDA(cudaMalloc(&d_count, DIGITS * sizeof *d_count));
  sort_kernel<<<1, 1>>>(d_keys, d_sorted, d_order, d_items, d_count, n);
  cudaError_t err = cudaGetLastError();
  cudaFree(d_count);
  cudaFree(d_items);
  return err;
}
