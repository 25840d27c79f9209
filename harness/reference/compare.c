// Compares the result of a scan with the reference, and says how it differs.
//
// Interface: sl_compare_scan. sl__scan_matches alone decides whether a value is right, by one of two tests:
//   exact     the same value (sl_elem_same)
//   rounding  |got - sum| <= bound, written so that NaN fails; infinities and NaN by class
#include "reference/reference.h"

#include "base/base.h"

#include <float.h>
#include <stdatomic.h>

enum { COMPARE_GRAIN = 1 << 18 }; // a thread gets at least that many elements

// Where the exact sum is no finite float, a right answer is the same infinity, or a NaN if the reference is.
static bool same_class(double want, float got) {
  if (isnan(want)) return isnan(got);
  return isinf(got) && (got > 0) == (want > 0);
}

double sl_rounding_bound(const sl_scan_ref *r, size_t i) {
  return sl_rounding_factor(i + (r->spec.kind == SL_INCLUSIVE)) * r->magnitude[i];
}

static bool within_rounding(const sl_scan_ref *r, float got, size_t j) {
  double want = r->sum[j], bound = sl_rounding_bound(r, j);
  if (!isfinite(want)) return same_class(want, got);
  if (isinf(got)) return fabs(want) + bound > (double)FLT_MAX && same_class(want, got);
  return fabs((double)got - want) <= bound;
}

static bool matches(const sl_scan_ref *r, sl_elem got, size_t j) {
  if (r->sum) return within_rounding(r, got.f, j);
  return sl_elem_same(r->spec.type, got, sl_elem_at(r->want, r->spec.type, j));
}

bool sl__scan_matches(const sl_scan_check *c, size_t i, size_t j) {
  return matches(c->ref, sl_elem_at(c->got, c->ref->spec.type, i), j);
}

// The report ------------------------------------------------------------------------------------------------

typedef struct text {
  char *at;
  size_t left;
} text;

static void put_words(text *t, const char *s) {
  int len = snprintf(t->at, t->left, "%s", s);
  size_t used = (size_t)len < t->left ? (size_t)len : t->left - 1;
  t->at += used;
  t->left -= used;
}

char *sl__short_text(sl_type type, sl_elem x, char *out, size_t cap) {
  if (type == SL_U32) snprintf(out, cap, "%u", x.u);
  else if (type != SL_F32) sl_elem_text(type, x, out, cap);
  else if (isnan(x.f)) snprintf(out, cap, "NaN");
  else snprintf(out, cap, "%.6g", (double)x.f);
  return out;
}

void sl__neighbours_follow(sl_mismatch *m) {
  unsigned line = 0;
  for (const char *p = m->detail; *p; p++) line += *p == '\n';
  m->around[m->n_around++] = line;
}

// Writes "out[2]: in[0] + 2 in[1], expected in[0] + in[1]". False: that is not known.
static bool put_summands(text *t, const sl_scan_check *c, size_t i) {
  const sl_type type = c->ref->spec.type;
  char line[400], got[160], want[160];
  if (!sl_summands(c, sl_elem_at(c->got, type, i), got, sizeof got) ||
      !sl_summands(c, sl_elem_at(c->ref->want, type, i), want, sizeof want))
    return false;
  snprintf(line, sizeof line, "out[%zu]: got %s, expected %s\n", i, got, want);
  put_words(t, line);
  return true;
}

// Do all elements have lines of their own, which say what stands around [i], too?
static bool all_told(const sl_scan_check *c, size_t i) {
  const size_t n = c->ref->spec.n;
  if (n > SL_SHOWN_ELEMENTS) return false;
  for (size_t k = i >= 2 ? i - 2 : 0; k <= i + 2 && k < n; k++)
    if (sl__scan_matches(c, k, k)) return false;
  return true;
}

// Writes "out[5]: got 3, expected 4" and the two neighbours on each side.
static void put_element(text *t, const sl_scan_check *c, size_t i, sl_mismatch *m) {
  const sl_scan_spec *s = &c->ref->spec;
  char line[256], a[64], b[64];
  if (put_summands(t, c, i)) return;
  snprintf(line, sizeof line, "out[%zu]: got %s, expected %s\n", i,
           sl_elem_text(s->type, sl_elem_at(c->got, s->type, i), a, sizeof a),
           sl_elem_text(s->type, sl_elem_at(c->ref->want, s->type, i), b, sizeof b));
  put_words(t, line);
  if (c->ref->sum) {
    snprintf(line, sizeof line, "  rounding may change it by %.3g at most\n", sl_rounding_bound(c->ref, i));
    put_words(t, line);
  }
  if (all_told(c, i)) return;
  sl__neighbours_follow(m);
  put_words(t, "  around it, got (expected):");
  for (size_t k = i >= 2 ? i - 2 : 0; k <= i + 2 && k < s->n; k++) {
    snprintf(line, sizeof line, " %s (%s)",
             sl__short_text(s->type, sl_elem_at(c->got, s->type, k), a, sizeof a),
             sl__short_text(s->type, sl_elem_at(c->ref->want, s->type, k), b, sizeof b));
    put_words(t, line);
  }
  put_words(t, "\n");
}

static void summarize(const sl_scan_check *c, sl_mismatch *m) {
  const sl_scan_spec *s = &c->ref->spec;
  if (sl__scan_unwritten(c, m)) {
    m->unwritten = true, m->detail[0] = 0;
    return;
  }
  m->pattern = sl__scan_pattern(c, m);
  sl_elem_text(s->type, sl_elem_at(c->got, s->type, m->first), m->got, sizeof m->got);
  sl_elem_text(s->type, sl_elem_at(c->ref->want, s->type, m->first), m->expected, sizeof m->expected);
}

// Almost all answers are right: all cores compare a large one first, the slow search comes if it is wrong.
typedef struct quick_check {
  const sl_scan_ref *r;
  size_t first;
  const char *got; // from element [first] on
  atomic_bool differs;
} quick_check;

static void compare_part(void *context, size_t from, size_t to) {
  quick_check *q = context;
  const sl_scan_ref *r = q->r;
  size_t size = sl_elem_size(r->spec.type), k = from;
  if (!r->sum &&
      !memcmp((const char *)r->want + (q->first + from) * size, q->got + from * size, (to - from) * size))
    return;
  while (k < to && matches(r, sl_elem_at(q->got, r->spec.type, k), q->first + k)) k++;
  if (k < to) q->differs = true;
}

bool sl_scan_part_right(const sl_scan_ref *r, size_t first, size_t count, const void *got) {
  quick_check q = {.r = r, .first = first, .got = got};
  sl_parallel(count, COMPARE_GRAIN, compare_part, &q);
  return !q.differs;
}

bool sl_compare_scan(const sl_scan_check *c, sl_mismatch *m) {
  text t = {m->detail, sizeof m->detail};
  *m = (sl_mismatch){.n = c->ref->spec.n};
  if (sl_scan_part_right(c->ref, 0, m->n, c->got)) return true;
  for (size_t i = 0; i < m->n; i++) {
    if (sl__scan_matches(c, i, i)) continue;
    if (m->wrong == 0) m->first = i;
    if (m->wrong++ < SL_SHOWN_ELEMENTS) put_element(&t, c, i, m);
  }
  if (m->wrong) summarize(c, m);
  return m->wrong == 0;
}
