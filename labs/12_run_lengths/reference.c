// What is right in lab 12: value and length of each run of equal elements, and how many runs there are.
#include "scanlab/reference.h"

const sl_argument sl_arguments[] = {
    {SL_IN, "in", SL_I32, 0, NULL, 0},       {SL_OUT, "values", SL_I32, 0, NULL, 0},
    {SL_OUT, "lengths", SL_U32, 0, NULL, 0}, {SL_OUT, "count", SL_U32, 1, NULL, 0},
    {SL_END, NULL, 0, 0, NULL, 0},
};

void sl_reference(size_t n, const int64_t scalars[], const void *const in[], void *const out[],
                  size_t written[]) {
  (void)scalars; // none
  const int32_t *x = in[0];
  int32_t *values = out[0];
  uint32_t *lengths = out[1], runs = 0;
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || x[i] != x[i - 1]) values[runs++] = x[i];
    lengths[runs - 1]++;
  }
  *(uint32_t *)out[2] = runs;
  written[0] = written[1] = runs;
  if (n == 0) written[2] = 0; // an empty call writes nothing
}
