// What is right in lab 13: the inclusive sums of each segment by itself, modulo 2^32. A segment begins at
// element 0 and where heads is not 0.
#include "scanlab/reference.h"

const sl_argument sl_arguments[] = {
    {SL_IN, "heads", SL_U32, 0, NULL, 0},
    {SL_IN, "in", SL_I32, 0, "uniform_int specials:bits one_bit:bits", 0},
    {SL_OUT, "out", SL_I32, 0, NULL, 0},
    {SL_END, NULL, 0, 0, NULL, 0},
};

void sl_reference(size_t n, const int64_t scalars[], const void *const in[], void *const out[],
                  size_t written[]) {
  const uint32_t *heads = in[0], *x = in[1];
  uint32_t *sums = out[0], sum = 0;
  (void)scalars, (void)written; // all of out
  for (size_t i = 0; i < n; i++) sums[i] = sum = heads[i] ? x[i] : sum + x[i];
}
