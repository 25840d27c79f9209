// The CPU reference of every scan: one sequential loop from left to right.
//
// Interface: sl_scan_ref_make, sl_scan_ref_free, sl_scan_walk_.., sl_scan_run, sl_rounding_factor. Floats are
// summed in double, because a sequential float sum is the least accurate of all orders: at 2^20 uniform
// values it is off by 5.7, the tree by 0.14. The double errs by at most n 2^-53 of the magnitude.
#include "reference/reference.h"

#include "base/base.h"

// A float sum, with the magnitudes for the rounding test.
void sl__scan_with_magnitude(sl_scan_ref *r, size_t from, size_t n, const float *in, sl__carry *carry) {
  double acc = carry->sum, magnitude = carry->magnitude;
  bool inclusive = r->spec.kind == SL_INCLUSIVE;
  float *want = r->want;
  for (size_t i = from; i < from + n; i++) {
    double next = acc + (double)in[i], next_magnitude = magnitude + fabs((double)in[i]);
    r->sum[i] = inclusive ? next : acc;
    r->magnitude[i] = inclusive ? next_magnitude : magnitude;
    want[i] = (float)r->sum[i];
    acc = next;
    magnitude = next_magnitude;
  }
  *carry = (sl__carry){acc, magnitude};
}

bool sl__is_float_sum(const sl_scan_spec *s) { return s->type == SL_F32 && s->op == SL_ADD; }

void sl_scan_run(const sl_scan_spec *s, const void *in, void *out) {
  sl_elem acc = sl_op_identity(s->type, s->op);
  if (sl__is_float_sum(s)) sl__scan_doubles(s, 0, in, out);
  else sl__op_scan(s, &acc, in, out);
}

bool sl_scan_ref_make(sl_scan_ref *r, const sl_scan_spec *spec, const void *in, bool rounding,
                      unsigned threads) {
  bool sums = rounding && sl__is_float_sum(spec);
  *r = (sl_scan_ref){.spec = *spec};
  r->want = sl_alloc_array(spec->n * sl_elem_size(spec->type));
  if (sums)
    r->sum = sl_alloc_array(spec->n * sizeof(double)),
    r->magnitude = sl_alloc_array(spec->n * sizeof(double));
  if (r->want && (!sums || (r->sum && r->magnitude)) && sl__scan_ref_fill(r, threads, in)) return true;
  sl_scan_ref_free(r);
  return false;
}

void sl_scan_ref_free(sl_scan_ref *r) {
  free(r->want);
  free(r->sum);
  free(r->magnitude);
  *r = (sl_scan_ref){0};
}

sl_scan_walk sl_scan_walk_begin(const sl_scan_spec *spec, const void *in) {
  return (sl_scan_walk){.spec = *spec, .in = in, .before = sl_op_identity(spec->type, spec->op)};
}

// The right results of the next [count] elements. Without `want`: there is no memory.
static sl_scan_ref next_piece(sl_scan_walk *w, size_t count) {
  const size_t size = sl_elem_size(w->spec.type);
  if (count > w->room) free(w->want), w->want = sl_alloc_array(count * size), w->room = w->want ? count : 0;
  if (count > w->room) return (sl_scan_ref){0};
  sl_scan_ref piece = {.spec = w->spec, .want = w->want};
  piece.spec.n = count;
  sl__op_scan(&piece.spec, &w->before, (const char *)w->in + w->at * size, w->want);
  w->at += count;
  return piece;
}

bool sl_scan_walk_right(sl_scan_walk *w, size_t count, const void *got) {
  const sl_scan_ref piece = next_piece(w, count);
  return piece.want && sl_scan_part_right(&piece, 0, count, got);
}

bool sl_scan_walk_count(sl_scan_walk *w, size_t count, const void *got, size_t *wrong, size_t *first) {
  const size_t from = w->at;
  const sl_type type = w->spec.type;
  const sl_scan_ref piece = next_piece(w, count);
  for (size_t k = 0; piece.want && k < count; k++) {
    if (sl_elem_same(type, sl_elem_at(got, type, k), sl_elem_at(piece.want, type, k))) continue;
    if (!(*wrong)++) *first = from + k;
  }
  return piece.want != NULL;
}

void sl_scan_walk_end(sl_scan_walk *w) {
  free(w->want);
  *w = (sl_scan_walk){0};
}

static double gamma_of(double roundings) {
  double u = 0x1p-24;
  return roundings * u / (1 - roundings * u);
}

double sl_rounding_factor(size_t terms) {
  int levels = terms > 1 ? 64 - __builtin_clzll(terms - 1) : 0;
  return fmax(gamma_of((double)terms), 2 * gamma_of(2 * levels + 2));
}
