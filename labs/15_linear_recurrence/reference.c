// What is right in lab 15: y[i] = a[i] * y[i - 1] + b[i], from 0 on, modulo 2^32.
#include "scanlab/reference.h"

const sl_argument sl_arguments[] = {
    {SL_IN, "a", SL_U32, 0, NULL, 0},
    {SL_IN, "b", SL_U32, 0, "bits specials:one_bit sparse:one_bit two_runs:sparse", 0},
    {SL_OUT, "out", SL_U32, 0, NULL, 0},
    {SL_END, NULL, 0, 0, NULL, 0},
};

void sl_reference(size_t n, const int64_t scalars[], const void *const in[], void *const out[],
                  size_t written[]) {
  const uint32_t *a = in[0], *b = in[1];
  uint32_t *values = out[0], y = 0;
  (void)scalars, (void)written; // all of out
  for (size_t i = 0; i < n; i++) values[i] = y = a[i] * y + b[i];
}
