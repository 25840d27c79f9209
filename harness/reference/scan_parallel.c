// The scan on all cores of the CPU: what a GPU has to be compared with.
//
// Interface: sl_scan_run_parallel. Reduce, then scan: every thread totals its part, the totals are scanned, every
// thread scans its part from there. It reads the input twice and writes the output once, as lab 05 does.
#include "reference/reference.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { PART_MIN = 1 << 15 }; // elements that are worth a thread of their own: starting one takes as long

typedef struct part {
  sl_scan_spec spec; // n: of this part
  const char *in;
  char *out;
  sl_elem before; // what comes before the part, then its total
  double sum;     // the same of a float sum
  pthread_t thread;
} part;

static void *run(void *arg) {
  part *p = arg;
  if (sl__is_float_sum(&p->spec))
    p->sum = sl__scan_doubles(&p->spec, p->sum, (const float *)p->in, (float *)p->out);
  else
    sl__op_scan(&p->spec, &p->before, p->in, p->out);
  return NULL;
}

// Runs every part in a thread of its own; with [out] NULL in the parts these are their totals.
static bool run_all(part *parts, unsigned n) {
  unsigned started = 0;
  while (started < n && pthread_create(&parts[started].thread, NULL, run, &parts[started]) == 0) started++;
  for (unsigned k = 0; k < started; k++) pthread_join(parts[k].thread, NULL);
  return started == n;
}

static void cut(part *parts, unsigned n, const sl_scan_spec *spec, const void *in) {
  size_t size = sl_elem_size(spec->type), from = 0;
  for (unsigned k = 0; k < n; k++) {
    size_t to = spec->n / n * (k + 1) + (k + 1 == n ? spec->n % n : 0);
    parts[k] = (part){.spec = *spec, .in = (const char *)in + from * size};
    parts[k].spec.n = to - from;
    parts[k].before = sl_op_identity(spec->type, spec->op);
    from = to;
  }
}

// The total of each part becomes what comes before it.
static void scan_totals(part *parts, unsigned n, char *out) {
  const sl_scan_spec *spec = &parts[0].spec;
  sl_elem before = sl_op_identity(spec->type, spec->op);
  double sum = 0;
  for (unsigned k = 0; k < n; k++) {
    sl_elem total = parts[k].before;
    double part_sum = parts[k].sum;
    parts[k].before = before;
    parts[k].sum = sum;
    parts[k].out = out;
    before = sl_op_apply(spec->type, spec->op, before, total);
    sum += part_sum;
    out += parts[k].spec.n * sl_elem_size(spec->type);
  }
}

bool sl_scan_run_parallel(const sl_scan_spec *spec, unsigned threads, const void *in, void *out) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  unsigned n = threads ? threads : cores > 0 ? (unsigned)cores : 1;
  if (!threads && n > spec->n / PART_MIN) n = (unsigned)(spec->n / PART_MIN);
  if (n < 2) return sl_scan_run(spec, in, out), true;
  part *parts = calloc(n, sizeof *parts);
  if (!parts) return false;
  cut(parts, n, spec, in);
  bool ok = run_all(parts, n);
  if (ok) scan_totals(parts, n, out);
  ok = ok && run_all(parts, n);
  free(parts);
  return ok;
}
