// The scan on all cores of the CPU, for a fair comparison with a GPU.
//
// Interface: sl_scan_run_parallel, sl__scan_ref_fill. Reduce, then scan: every thread totals its part, the
// totals are scanned, every thread scans its part from there. It reads the input twice and writes the output
// once, as lab 05 does. The prefix before a part is a sum of totals, so a float sum in double may differ from
// the sequential one by a rounding of 2^-53.
#include "reference/reference.h"

#include "base/base.h"

#include <pthread.h>

enum { PART_MIN = 1 << 15 }; // elements of a part, at least: starting a thread takes as long as scanning them

typedef struct part {
  sl_scan_spec spec; // n: elements of this part
  sl_scan_ref *whole;
  size_t from;
  const char *in;  // input of the part
  char *out;       // NULL: only total the part
  sl_elem before;  // the prefix before the part, afterwards its total
  sl__carry carry; // the same for a float sum
  pthread_t thread;
} part;

static double magnitude_of(const float *x, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += fabs((double)x[i]);
  return sum;
}

static void *run_part(void *arg) {
  part *p = arg;
  const float *x = (const float *)p->in;
  if (!sl__is_float_sum(&p->spec)) sl__op_scan(&p->spec, &p->before, p->in, p->out);
  else if (p->out && p->whole->sum)
    sl__scan_with_magnitude(p->whole, p->from, p->spec.n, x - p->from, &p->carry);
  else p->carry.sum = sl__scan_doubles(&p->spec, p->carry.sum, x, (float *)p->out);
  if (!p->out && p->whole->sum) p->carry.magnitude = magnitude_of(x, p->spec.n);
  return NULL;
}

// Runs every part in a thread of its own.
static bool run_all(part *parts, unsigned n) {
  unsigned started = 0;
  while (started < n && pthread_create(&parts[started].thread, NULL, run_part, &parts[started]) == 0)
    started++;
  for (unsigned k = 0; k < started; k++) pthread_join(parts[k].thread, NULL);
  return started == n;
}

static void cut(part *parts, unsigned n, sl_scan_ref *r, const void *in) {
  const sl_scan_spec *spec = &r->spec;
  size_t size = sl_elem_size(spec->type), from = 0;
  for (unsigned k = 0; k < n; k++) {
    size_t to = spec->n / n * (k + 1) + (k + 1 == n ? spec->n % n : 0);
    parts[k] = (part){.spec = *spec, .whole = r, .from = from, .in = (const char *)in + from * size};
    parts[k].spec.n = to - from;
    parts[k].before = sl_op_identity(spec->type, spec->op);
    from = to;
  }
}

// Scans the totals: each becomes the prefix before its part.
static void scan_totals(part *parts, unsigned n, char *out) {
  const sl_scan_spec *spec = &parts[0].spec;
  sl_elem before = sl_op_identity(spec->type, spec->op);
  sl__carry carry = {0, 0};
  for (unsigned k = 0; k < n; k++) {
    sl_elem total = parts[k].before;
    sl__carry part_total = parts[k].carry;
    parts[k].before = before;
    parts[k].carry = carry;
    parts[k].out = out;
    before = sl_op_apply(spec->type, spec->op, before, total);
    carry = (sl__carry){carry.sum + part_total.sum, carry.magnitude + part_total.magnitude};
    out += parts[k].spec.n * sl_elem_size(spec->type);
  }
}

static bool fill_alone(sl_scan_ref *r, const void *in) {
  sl__carry carry = {0, 0};
  if (r->sum) sl__scan_with_magnitude(r, 0, r->spec.n, in, &carry);
  else sl_scan_run(&r->spec, in, r->want);
  return true;
}

bool sl__scan_ref_fill(sl_scan_ref *r, unsigned threads, const void *in) {
  unsigned n = threads ? threads : sl_cores();
  if (!threads && n > r->spec.n / PART_MIN) n = (unsigned)(r->spec.n / PART_MIN);
  if (n < 2) return fill_alone(r, in);
  SL_FREED part *parts = calloc(n, sizeof *parts);
  if (!parts) return false;
  cut(parts, n, r, in);
  bool ok = run_all(parts, n);
  if (ok) scan_totals(parts, n, r->want);
  return ok && run_all(parts, n);
}

bool sl_scan_run_parallel(const sl_scan_spec *spec, unsigned threads, const void *in, void *out) {
  sl_scan_ref r = {.spec = *spec, .want = out};
  return sl__scan_ref_fill(&r, threads, in);
}
