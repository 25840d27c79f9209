// Which elements a sum holds, if element k is 8^k: digit k of base 8 says how often element k was added.
//
// Interface: sl_summands.
#include "base/base.h"
#include "reference/reference.h"

enum { MOST = 8, BITS = 3 };

// The value as a whole number; -1: it is none, or too large.
static int64_t whole(sl_type type, sl_elem x) {
  if (type == SL_U32) return x.u < 1u << MOST * BITS ? (int64_t)x.u : -1;
  if (type == SL_I32) return x.i < 1 << MOST * BITS ? x.i : -1;
  const bool fits = type == SL_F32 && x.f >= 0 && x.f < (float)(1 << MOST * BITS);
  return fits && (float)(int64_t)x.f == x.f ? (int64_t)x.f : -1;
}

static bool shows_summands(const sl_scan_check *c) {
  const sl_scan_spec *s = &c->ref->spec;
  if (s->op != SL_ADD || s->n > MOST || s->n < 2) return false;
  for (size_t k = 0; k < s->n; k++)
    if (whole(s->type, sl_elem_at(c->in, s->type, k)) != (int64_t)1 << BITS * k) return false;
  return true;
}

bool sl_summands(const sl_scan_check *c, sl_elem sum, char *out, size_t cap) {
  int64_t left = whole(c->ref->spec.type, sum);
  if (left < 0 || !shows_summands(c) || left >> BITS * c->ref->spec.n) return false;
  snprintf(out, cap, "%s", left == 0 ? "nothing (0)" : "");
  for (size_t k = 0; left; k++, left >>= BITS) {
    const int times = (int)(left & ((1 << BITS) - 1));
    if (times == 1) sl_append(out, cap, " + ", "in[%zu]", k);
    else if (times) sl_append(out, cap, " + ", "%d in[%zu]", times, k);
  }
  return true;
}
