// Parts of kind "counters": what a call may use up, and the share of the points that is left above a bound.
//
// Interface: sl__judge_bounds, sl__bounds_adds, sl__reconsider (run.h). A case keeps the least share of its bounds,
// and it is a failure unless that is 1. Above a bound the points fall in proportion: no bound is a cliff.
#include "compile/build.h"
#include "judge/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What a call used up, as bounds see it: the counters, or another count of additions and of operations on the data.
typedef struct used {
  const sl_counter_sum *sum;
  uint64_t adds, operations;
} used;

static used used_by(const sl_verdict *v) {
  return (used){&v->counters, sl_counter_value(&v->counters, "adds"), v->counters.total.data_ops};
}

static bool is_adds(const sl_expect *x) { return !strcmp(x->name, "adds"); }

static uint64_t value_of(const used *u, const sl_expect *x) {
  return is_adds(x) ? u->adds : sl_counter_value(u->sum, x->name);
}

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

// Finds the bound that leaves the least, and whether it is broken by operations other than additions.
static double least_share(const sl_judge_job *job, const sl_verdict *v, used u, const sl_expect **which,
                          bool *operations) {
  double least = 1;
  for (unsigned k = 0; k < job->c->n_expect; k++) {
    const sl_expect *x = &job->c->expect[k];
    const double shares[] = {share_left(x, value_of(&u, x), 0),
                             bounds_operations(job, x) ? share_left(x, u.operations, more_operations(v->n))
                                                       : 1};
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

bool sl__judge_bounds(sl_judging *j) {
  const sl_expect *x = NULL;
  bool operations = false;
  used u = used_by(j->v);
  double share = least_share(j->job, j->v, u, &x, &operations);
  if (share == 1) return true;
  j->missed = true;
  j->v->credit = share;
  return operations ? miss_operations(j, x) : miss(j, x, value_of(&u, x));
}

bool sl__bounds_adds(const sl_judge_job *job) {
  for (unsigned k = 0; job->kind == SL_PART_COUNTERS && k < job->c->n_expect; k++)
    if (!strcmp(job->c->expect[k].name, "adds") && job->c->expect[k].max != UINT64_MAX) return true;
  return false;
}

// Additions as they are written -----------------------------------------------------------------------------

static double share_of(const sl_judge_job *job, const sl_verdict *v, used u) {
  const sl_expect *x;
  bool operations;
  return least_share(job, v, u, &x, &operations);
}

// Would another number of additions leave more points?
static bool hangs_on_adds(const sl_judge_job *job, const sl_verdict *v) {
  for (unsigned k = 0; k < job->c->n_expect; k++)
    if (is_adds(&job->c->expect[k]))
      return share_of(job, v, (used){&v->counters, job->c->expect[k].min, 0}) > v->credit;
  return false;
}

// Counts the float additions of the case and its operations on the data in a build that keeps the structure
// of the source. False: there is no such build, or it fails the case.
static bool as_written(const sl_judge_job *counted, used *u) {
  sl_judge_job job = *counted;
  sl_error e = {0};
  char *runner = NULL;
  sl_verdict v;
  if (!sl_build_as_written(job.lab->number, job.runner, &runner, &e)) return false;
  job.runner = runner, job.kind = SL_PART_CORRECT, job.as_written = true, job.repeats = 0,
  job.gpu_report = NULL;
  sl_judge(&job, &v);
  bool passed = v.status == SL_PASS;
  u->adds = v.counters.total.adds_float + v.counters.total.fmas, u->operations = v.counters.total.data_ops;
  sl_verdict_free(&v);
  free(runner);
  return passed && u->adds;
}

// A counter missed its bound. The optimiser turns `if (c) x += y` into an addition by all threads and a
// choice, which is not the student's fault. So this counts the additions as written, and the better count
// holds.
void sl__reconsider(const sl_judge_job *job, sl_verdict *v) {
  uint64_t executed = v->counters.total.adds_float + v->counters.total.fmas;
  char text[160];
  used written = {.sum = &v->counters};
  if (!executed || !hangs_on_adds(job, v) || !as_written(job, &written)) return;
  double share = share_of(job, v, written);
  if (share <= v->credit) return;
  v->credit = share;
  json_object_set_new(v->fields, "percent", json_real(100 * share));
  if (share == 1) {
    json_decref(v->fields);
    v->status = SL_PASS, v->exit_code = SL_EXIT_OK, v->reason = SL_REASON_RIGHT, v->fields = NULL;
  }
  sl__verdict_word(v);
  snprintf(text, sizeof text,
           "%llu as written; compiled, %llu are executed, because both sides of a choice are computed",
           (unsigned long long)written.adds, (unsigned long long)executed);
  sl__verdict_add_detail(v, "additions: ", text);
}
