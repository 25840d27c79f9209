// The three files of float arithmetic: op_float.c (decoder, nearest rounding), float_slow.c, float_approx.c.
#ifndef SL_SIM_FLOAT_H
#define SL_SIM_FLOAT_H

#include "sim/form.h"
#include "sim/half.h"

// .ftz looks at a result before it is rounded, as the hardware does: what lies below the smallest normal number is zero even
// if it would round up to it. These say so from the operands; sums of two floats are never inexact there.
static inline bool sl__tiny_product(float a, float b) { return fabs((double)a * b) < 0x1p-126; }
static inline bool sl__tiny_quotient(float a, float b) { return fabsf(b) <= 0x1.fffffep127f && fabs((double)a) < 0x1p-126 * fabs((double)b); }
static inline bool sl__tiny_fma(float a, float b, float c) {
  double p = (double)a * b, s = p + c, t = s - p, lost = (p - (s - t)) + (c - t);  // p and s + lost are exact
  return fabs(s) < 0x1p-126 || (fabs(s) == 0x1p-126 && lost != 0 && (lost < 0) == (s > 0));
}

extern const sl_form sl__float_slow_forms[], sl__float_approx_forms[];
extern const size_t sl__n_float_slow_forms, sl__n_float_approx_forms;

#endif
