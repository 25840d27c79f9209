// The CPU reference of the sorts: a bottom-up merge sort of (rank, index) pairs packed into 64-bit numbers.
//
// Interface: sl_sort_rank gives a key's place in the order as an unsigned number, sl_sort_order the sorted
// order. The index in the low half makes all pairs different, so the result is the stable order whatever
// sorts them.
#include "reference/reference.h"

#include <stdlib.h>

static uint32_t rank_u32(uint32_t bits) { return bits; }
static uint32_t rank_i32(uint32_t bits) { return bits ^ 0x80000000u; }
// totalOrder: negative floats grow backwards, so all their bits flip; positive ones move above them.
static uint32_t rank_f32(uint32_t bits) { return bits & 0x80000000u ? ~bits : bits | 0x80000000u; }

uint32_t sl_sort_rank(sl_type type, uint32_t bits) {
  static uint32_t (*const rank[SL_TYPE_COUNT])(uint32_t) = {
      [SL_F32] = rank_f32, [SL_I32] = rank_i32, [SL_U32] = rank_u32, [SL_AFFINE] = rank_u32};
  return rank[type](bits);
}

static void merge(const uint64_t *from, uint64_t *to, size_t lo, size_t mid, size_t hi) {
  for (size_t a = lo, b = mid, k = lo; k < hi; k++)
    to[k] = b >= hi || (a < mid && from[a] < from[b]) ? from[a++] : from[b++];
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

// Sorts [a] with the help of [b]; returns the one that holds the result.
static uint64_t *merge_sort(uint64_t *a, uint64_t *b, size_t n) {
  for (size_t width = 1; width < n; width *= 2) {
    for (size_t lo = 0; lo < n; lo += 2 * width)
      merge(a, b, lo, least(lo + width, n), least(lo + 2 * width, n));
    uint64_t *t = a;
    a = b;
    b = t;
  }
  return a;
}

bool sl_sort_order(sl_type type, const uint32_t *keys, size_t n, uint32_t *order) {
  uint64_t *a = malloc(n * sizeof *a + 1), *b = malloc(n * sizeof *b + 1);
  bool ok = a && b;
  if (ok) {
    for (size_t i = 0; i < n; i++) a[i] = (uint64_t)sl_sort_rank(type, keys[i]) << 32 | (uint32_t)i;
    const uint64_t *sorted = merge_sort(a, b, n);
    for (size_t i = 0; i < n; i++) order[i] = (uint32_t)sorted[i];
  }
  free(a);
  free(b);
  return ok;
}
