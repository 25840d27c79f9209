// What is right in lab 16: the keys in ascending order, and where each of them stood. Equal keys keep their
// order, so both are determined. It compares keys, where the lab counts digits.
#include <stdlib.h>

#include "scanlab/reference.h"

const sl_argument sl_arguments[] = {
    {SL_IN, "keys", SL_U32, 0, NULL, 0},
    {SL_OUT, "sorted", SL_U32, 0, NULL, 0},
    {SL_OUT, "order", SL_U32, 0, NULL, 0},
    {SL_END, NULL, 0, 0, NULL, 0},
};

const bool sl_sorts = true;

static int by_key_and_place(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

void sl_reference(size_t n, const int64_t scalars[], const void *const in[], void *const out[],
                  size_t written[]) {
  const uint32_t *keys = in[0];
  uint32_t *sorted = out[0], *order = out[1];
  uint64_t *both = malloc((n + 1) * sizeof *both); // the key above, its place below: no two are equal
  (void)scalars, (void)written;                    // all of both
  if (!both) abort();
  for (size_t i = 0; i < n; i++) both[i] = (uint64_t)keys[i] << 32 | i;
  qsort(both, n, sizeof *both, by_key_and_place);
  for (size_t i = 0; i < n; i++) sorted[i] = (uint32_t)(both[i] >> 32), order[i] = (uint32_t)both[i];
  free(both);
}
