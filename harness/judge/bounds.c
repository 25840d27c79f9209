// Parts of kind "counters": what a call may use up, and the share of the points that is left above a bound.
//
// Interface: sl__judge_bounds, sl__bounds_adds (run.h). A case keeps the least share of its bounds,
// and it is a failure unless that is 1. Above a bound the points fall in proportion: no bound is a cliff.
#include "judge/run.h"

static bool is_adds(const sl_expect *x) { return !strcmp(x->name, "adds"); }

// A bound on additions bounds all operations on the data, too: two more for each element are allowed, enough
// to test whether it is a number.
static uint64_t more_operations(uint64_t n) { return 2 * n; }

// The share of the points: all up to max, then in proportion down to none.
static double share_left(const sl_expect *x, uint64_t value, uint64_t more) {
  if (value < x->min) return 0;
  if (value <= x->max + more) return 1;
  return value < x->none + more ? (double)(x->none + more - value) / (double)(x->none - x->max) : 0;
}

static bool bounds_operations(const sl_judge_job *job, const sl_expect *x) {
  return is_adds(x) && x->max != UINT64_MAX && job->backend == SL_BACKEND_SIM;
}

// The bound that leaves most of those of which one is enough; NULL: the case has none.
static const sl_expect *best_of_either(const sl_case *c, const sl_verdict *v, double *share) {
  const sl_expect *best = NULL;
  for (const sl_expect *x = c->expect + c->n_expect - c->n_either; x < c->expect + c->n_expect; x++) {
    double left = share_left(x, sl_counter_value(&v->counters, x->name), 0);
    if (!best || left > *share) best = x, *share = left;
  }
  return best;
}

// Finds the bound that leaves the least, and whether it is broken by operations other than additions.
static double least_share(const sl_judge_job *job, const sl_verdict *v, const sl_expect **which,
                          bool *operations) {
  const uint64_t done = v->counters.total.data_ops;
  double least = 1;
  const sl_expect *best = best_of_either(job->c, v, &least);
  if (best) *which = best;
  for (unsigned k = 0; k < job->c->n_expect - job->c->n_either; k++) {
    const sl_expect *x = &job->c->expect[k];
    const double shares[] = {share_left(x, sl_counter_value(&v->counters, x->name), 0),
                             bounds_operations(job, x) ? share_left(x, done, more_operations(v->n)) : 1};
    for (int by = 0; by < 2; by++)
      if (shares[by] < least) least = shares[by], *which = x, *operations = by;
  }
  return least;
}

static json_t *bound_fields(const char *counter, uint64_t value, uint64_t bound, double share) {
  json_t *o =
      json_pack("{s:s, s:I, s:I}", "counter", counter, "value", SL_INT(value), "bound", SL_INT(bound));
  if (share > 0) json_object_set_new(o, "percent", json_real(100 * share));
  return o;
}

static bool miss(sl_judging *j, const sl_expect *x, uint64_t value) {
  bool above = value > x->max;
  const char *means = sl_counter_means(x->name);
  char what[160] = "";
  if (means) snprintf(what, sizeof what, "%s: %s", x->name, means);
  return sl__verdict_fail(j, NULL,
                          x->min == x->max ? SL_REASON_COUNTER_EXACT
                          : above          ? SL_REASON_COUNTER_MOST
                                           : SL_REASON_COUNTER_LEAST,
                          bound_fields(x->name, value, above ? x->max : x->min, j->v->credit), what);
}

static bool miss_operations(sl_judging *j, const sl_expect *x) {
  json_t *fields = bound_fields("data_ops", j->v->counters.total.data_ops, x->max + more_operations(j->v->n),
                                j->v->credit);
  json_object_set_new(fields, "adds", json_integer(SL_INT(x->max)));
  return sl__verdict_fail(
      j, NULL, SL_REASON_COUNTER_OPERATIONS, fields,
      "whatever is computed with the data counts: additions, integer and bit operations, comparisons, "
      "atomics, what the data decide or index");
}

// The compiler makes all threads add and lets them choose, where the source has `if (c) x += y`.
static void tell_dropped(sl_verdict *v) {
  unsigned long long dropped = v->counters.total.adds_dropped;
  char text[120];
  if (!dropped) return;
  snprintf(text, sizeof text, "%llu count; %llu more are executed, and choices leave their results out",
           (unsigned long long)sl_counter_value(&v->counters, "adds"), dropped);
  sl__verdict_add_detail(v, "additions: ", text);
}

bool sl__judge_bounds(sl_judging *j) {
  const sl_expect *x = NULL;
  bool operations = false;
  double share = least_share(j->job, j->v, &x, &operations);
  tell_dropped(j->v);
  if (share == 1) return true;
  j->v->credit = share;
  return operations ? miss_operations(j, x) : miss(j, x, sl_counter_value(&j->v->counters, x->name));
}

bool sl__bounds_adds(const sl_judge_job *job) {
  for (unsigned k = 0; job->kind == SL_PART_COUNTERS && k < job->c->n_expect; k++)
    if (!strcmp(job->c->expect[k].name, "adds") && job->c->expect[k].max != UINT64_MAX) return true;
  return false;
}
