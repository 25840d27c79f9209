// The three files of float arithmetic: op_float.c (decoder, nearest rounding), float_slow.c, float_approx.c.
#pragma once

#include "engine/form.h"
#include "engine/half.h"

// Does .ftz make the result v + lost zero? [lost] is what v itself has lost by rounding. As on hardware, .ftz
// flushes a result that is still below the smallest normal number when it is rounded with an exponent of any
// size (IEEE 754's tininess after rounding). Rounding to a subnormal's few bits would give more.
static inline bool sl__tiny_sum(double v, double lost, uint32_t flags) {
  uint32_t mode = flags & SL_F_ROUND;
  bool away = (mode == SL_F_RM && v < 0) || (mode == SL_F_RP && v > 0);
  double limit = away              ? 0x1.fffffep-127
                 : mode == SL_F_RN ? 0x1.ffffffp-127
                                   : 0x1p-126,
         mag = fabs(v), more = v < 0 ? -lost : lost;
  return mag < limit || (mag == limit && (away ? more <= 0 : more < 0));
}
static inline bool sl__tiny(double exact, uint32_t flags) { return sl__tiny_sum(exact, 0, flags); }
static inline bool sl__tiny_product(float a, float b, uint32_t flags) {
  return sl__tiny((double)a * b, flags);
}
static inline bool sl__tiny_quotient(float a, float b, uint32_t flags) {
  double q = (double)a / b, lost = -__builtin_fma(q, b, -(double)a) * (b < 0 ? -1 : 1);
  return isfinite(b) && b != 0 && sl__tiny_sum(q, lost, flags);
}
static inline bool sl__tiny_fma(float a, float b, float c, uint32_t flags) {
  double p = (double)a * b, s = p + c, t = s - p;
  return sl__tiny_sum(s, (p - (s - t)) + (c - t), flags);
}

extern const sl_form sl__float_slow_forms[], sl__float_approx_forms[];
extern const size_t sl__n_float_slow_forms, sl__n_float_approx_forms;
