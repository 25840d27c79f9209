// Bounds: what a call may use up, and the share of the points that is left above a bound. Every case of kind
// "counters" has some, and one of kind "correct" may have, of what the usual schedule counts anyway.
//
// Interface: sl__has_bounds, sl__look_at_bounds, sl__judge_bounds, sl__bounds_adds (run.h). Every call of a
// case is held to its bounds, each with its own n. A case keeps the least share of all calls and bounds, and
// it is a failure unless that is 1.
// Above a bound the points fall in proportion: no bound is a cliff.
#include "judge/run.h"

static bool is_adds(const sl_expect *x) { return !strcmp(x->name, "adds"); }

// A bound on additions bounds all operations on the data, too: two more for each element are allowed, enough
// to test whether it is a number.
static uint64_t more_operations(uint64_t n) { return 2 * n; }

// The share of the points: all up to max, then in proportion down to none.
static double share_left(const sl_allowed *x, uint64_t value, uint64_t more) {
  if (value < x->min) return 0;
  if (value <= x->max + more) return 1;
  return value < x->none + more ? (double)(x->none + more - value) / (double)(x->none - x->max) : 0;
}

static bool is_most_adds(const sl_judging *j, const sl_share *s) {
  return is_adds(s->by) && s->bound.max != UINT64_MAX && j->job->backend == SL_BACKEND_SIM;
}

// A float addition that has no data in it is none of a scan: exp2f and log2f have some, for a distance. It
// does not count against what is allowed.
static sl_share share_of(const sl_judging *j, const sl_case_call *c, const sl_expect *x) {
  const uint64_t operations = j->counters.total.data_ops;
  sl_share s = {.by = x,
                .bound = sl_expect_at(x, c->in.n),
                .value = sl_counter_value(&j->counters, x->name),
                .call = c->number,
                .n = c->in.n};
  if (is_most_adds(j, &s) && s.value > s.bound.max && operations > 0 && operations < s.value)
    s.value = operations;
  s.left = share_left(&s.bound, s.value, 0);
  return s;
}

// The same by all operations on the data, where additions are bounded.
static sl_share share_of_operations(const sl_judging *j, const sl_case_call *c, const sl_expect *x) {
  sl_share s = share_of(j, c, x);
  const bool bounded = is_most_adds(j, &s);
  s.operations = true, s.value = j->counters.total.data_ops, s.bound.min = 0;
  s.left = bounded ? share_left(&s.bound, s.value, more_operations(c->in.n)) : 1;
  return s;
}

static void keep_less(sl_share *least, const sl_share *s) {
  if (s->left < least->left) *least = *s;
}

bool sl__has_bounds(const sl_judge_job *job) {
  return job->kind == SL_PART_COUNTERS ||
         (job->kind == SL_PART_CORRECT && job->c->n_expect > 0 && job->backend == SL_BACKEND_SIM &&
          sl_schedule_is_usual(job->schedule));
}

void sl__look_at_bounds(sl_judging *j, const sl_case_call *c) {
  const sl_case *k = j->job->c;
  const sl_expect *x = k->expect, *either = x + k->n_expect - k->n_either;
  sl_share best = {.left = -1}; // of those of which one is enough
  for (; x < either; x++) {
    const sl_share s[] = {share_of(j, c, x), share_of_operations(j, c, x)};
    keep_less(&j->least, &s[0]), keep_less(&j->least, &s[1]);
  }
  for (; x < either + k->n_either; x++) {
    const sl_share s = share_of(j, c, x);
    if (s.left > best.left) best = s;
  }
  if (k->n_either) keep_less(&j->least, &best);
}

static json_t *bound_fields(const char *counter, uint64_t value, uint64_t bound, double share) {
  json_t *o =
      json_pack("{s:s, s:I, s:I}", "counter", counter, "value", SL_INT(value), "bound", SL_INT(bound));
  if (share > 0) json_object_set_new(o, "percent", json_real(100 * share));
  return o;
}

static bool miss(sl_judging *j, const sl_case_call *c, const sl_share *s) {
  const sl_allowed *b = &s->bound;
  const bool above = s->value > b->max;
  const char *means = sl_counter_means(s->by->name);
  char what[160] = "";
  if (means) snprintf(what, sizeof what, "%s: %s", s->by->name, means);
  return sl__verdict_fail(j, c,
                          b->min == b->max ? SL_REASON_COUNTER_EXACT
                          : above          ? SL_REASON_COUNTER_MOST
                                           : SL_REASON_COUNTER_LEAST,
                          bound_fields(s->by->name, s->value, above ? b->max : b->min, s->left), what);
}

static bool miss_operations(sl_judging *j, const sl_case_call *c, const sl_share *s) {
  json_t *fields = bound_fields("data_ops", s->value, s->bound.max + more_operations(s->n), s->left);
  json_object_set_new(fields, "adds", json_integer(SL_INT(s->bound.max)));
  return sl__verdict_fail(j, c, SL_REASON_COUNTER_OPERATIONS, fields,
                          "whatever is computed with the data counts: additions, integer and bit operations, "
                          "comparisons, atomics, what the data decide or index");
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

// Where additions are bounded, and one block can take all, sixteen threads may share the work: with four
// operations for each of their elements, and those of a tree. Otherwise a few would do it one after the
// other, as often as the bound lets them.
static bool spreads_operations(sl_judging *j) {
  enum { OF_A_TREE = 128, ELEMENTS_AN_OPERATION = 8 };
  const uint64_t busiest = j->v->counters.total.busiest_thread,
                 most = OF_A_TREE + j->v->n / ELEMENTS_AN_OPERATION;
  if (!j->job->c->one_block || !sl__bounds_adds(j->job) || busiest <= most) return true;
  j->v->credit = 0;
  return sl__one_thread(j, NULL, busiest, most);
}

bool sl__judge_bounds(sl_judging *j) {
  const sl_share *s = &j->least;
  const sl_case_call c = {.number = s->call, .n = s->n, .in = {.n = s->n}};
  if (s->call == 0) tell_dropped(j->v);
  if (!s->by) return spreads_operations(j);
  j->v->credit = s->left;
  return s->operations ? miss_operations(j, &c, s) : miss(j, &c, s);
}

bool sl__bounds_adds(const sl_judge_job *job) {
  for (unsigned k = 0; job->kind == SL_PART_COUNTERS && k < job->c->n_expect; k++)
    if (is_adds(&job->c->expect[k]) && job->c->expect[k].max[0]) return true;
  return false;
}
