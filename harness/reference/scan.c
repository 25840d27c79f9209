// The CPU reference of every scan: one sequential loop from left to right.
//
// Interface: sl_scan_ref_make, sl_scan_ref_free, sl_scan_run, sl_rounding_factor. Float sums are summed in double, because
// a sequential float sum is the least accurate of all orders (it is off by 5.7 where the tree is off by 0.14,
// at 2^20 uniform values); the double's own error is at most n 2^-53 of the magnitude, far below the bound.
#include "reference/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A float sum with all that the rounding test needs.
static void scan_with_magnitude(const sl_scan_spec *s, const float *in, sl_scan_ref *r) {
  double acc = 0, magnitude = 0;
  bool inclusive = s->kind == SL_INCLUSIVE;
  float *want = r->want;
  for (size_t i = 0; i < s->n; i++) {
    double next = acc + (double)in[i], next_magnitude = magnitude + fabs((double)in[i]);
    r->sum[i] = inclusive ? next : acc;
    r->magnitude[i] = inclusive ? next_magnitude : magnitude;
    want[i] = (float)r->sum[i];
    acc = next;
    magnitude = next_magnitude;
  }
}

bool sl__is_float_sum(const sl_scan_spec *s) { return s->type == SL_F32 && s->op == SL_ADD; }

void sl_scan_run(const sl_scan_spec *s, const void *in, void *out) {
  sl_elem acc = sl_op_identity(s->type, s->op);
  if (sl__is_float_sum(s))
    sl__scan_doubles(s, 0, in, out);
  else
    sl__op_scan(s, &acc, in, out);
}

bool sl_scan_ref_make(sl_scan_ref *r, const sl_scan_spec *spec, const void *in, bool rounding) {
  bool float_sum = sl__is_float_sum(spec);
  *r = (sl_scan_ref){.spec = *spec};
  r->want = malloc(spec->n * sl_elem_size(spec->type) + 1);
  if (float_sum && rounding) {
    r->sum = malloc(spec->n * sizeof(double) + 1);
    r->magnitude = malloc(spec->n * sizeof(double) + 1);
  }
  if (!r->want || (float_sum && rounding && (!r->sum || !r->magnitude))) {
    sl_scan_ref_free(r);
    return false;
  }
  if (r->sum)
    scan_with_magnitude(spec, in, r);
  else
    sl_scan_run(spec, in, r->want);
  return true;
}

void sl_scan_ref_free(sl_scan_ref *r) {
  free(r->want);
  free(r->sum);
  free(r->magnitude);
  *r = (sl_scan_ref){0};
}

double sl_rounding_factor(size_t n) {
  double u = ldexp(1, -24), d = 2 * ceil(log2(n > 1 ? (double)n : 1)) + (double)n / 2048 + 2;
  return 2 * d * u / (1 - d * u);
}
