// What is right in lab 17: the inclusive sums. Inputs are whole numbers whose float sums are exact
// in every order.
#include "scanlab/reference.h"

const sl_argument sl_arguments[] = {
    {SL_IN, "in", SL_F32, 0, NULL, 0},
    {SL_OUT, "out", SL_F32, 0, NULL, 1e-6},
    {SL_END, NULL, 0, 0, NULL, 0},
};

void sl_reference(size_t n, const int64_t scalars[], const void *const in[], void *const out[],
                  size_t written[]) {
  const float *x = in[0];
  float *sums = out[0];
  double sum = 0;
  (void)scalars, (void)written; // all of out
  for (size_t i = 0; i < n; i++) sums[i] = (float)(sum += x[i]);
}
