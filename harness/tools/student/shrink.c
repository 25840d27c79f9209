// The smallest case that fails as a larger one does: one call, few elements, an input that shows the mistake.
//
// Interface: sl__shrink, sl__fails_at, sl__only_reals_fail (student.h).
#include "student.h"

static bool same_call(const sl_case *x, const sl_case *y) {
  return x->entry == y->entry && x->type == y->type && x->op == y->op && x->kind == y->kind &&
         x->tile == y->tile && x->unaligned == y->unaligned && x->bits == y->bits && x->values == y->values &&
         x->n_scalars == y->n_scalars && memcmp(x->scalars, y->scalars, sizeof x->scalars) == 0 &&
         memcmp(x->scalars_to, y->scalars_to, sizeof x->scalars_to) == 0;
}

static bool same_task(const sl_case *x, const sl_case *y) { return x->part == y->part && same_call(x, y); }

static bool is_sum(const sl_case *c) { return c->entry == SL_ENTRY_SCAN && c->op == SL_ADD; }

// An optional lab may take flags, or where segments begin.
static bool is_marks(const sl_case *c) { return !strcmp(c->dist, "sparse"); }

// Does the input of [c] show what one of [dist] would? Any numbers show a wrong sum, but few marks show
// little, and keys that happen to be in order, or alike, do not show a wrong sort.
static bool shows_as_much(const sl_case *c, const char *dist) {
  return !strcmp(c->dist, dist) || (is_sum(c) && !is_marks(c));
}

// The largest size below [n] that is known to be right.
static uint64_t largest_right(const sl_ladder *l, const sl_case *c, const char *dist, uint64_t n) {
  uint64_t most = 0;
  SL_EACH_TRIAL(l, t)
    if (t->status == SL_PASS && same_task(t->c, c) && shows_as_much(t->c, dist) && t->c->n < n &&
        t->c->n > most)
      most = t->c->n;
  return most;
}

bool sl__only_reals_fail(const sl_ladder *l) {
  const sl_case *c = l->failed->c;
  bool right = false;
  if (!is_sum(c) || c->type != SL_F32 || c->check != SL_CHECK_ROUNDING) return false;
  SL_EACH_TRIAL(l, t) {
    if (!t->c || t->c->check != SL_CHECK_EXACT || !same_call(t->c, c)) continue;
    if (t->status == SL_FAIL) return false;
    right |= t->status == SL_PASS && t->c->n >= c->n;
  }
  return right;
}

static bool usual_schedule(const sl_trial *t) {
  return sl_schedule_is_usual(sl_json_text(json_object_get(t->record, "fields"), "schedule"));
}

// Is a result wrong, in a call that no others have prepared?
static bool can_shrink(const sl_ladder *l) {
  const sl_trial *t = l->failed;
  const sl_reason why = sl__reason_of(t->record);
  const bool wrong = why == SL_REASON_RESULT_WRONG || why == SL_REASON_RESULT_UNSORTED ||
                     why == SL_REASON_RESULT_UNWRITTEN || why == SL_REASON_BUFFER_OUTSIDE;
  return wrong && !strcmp(l->backend, "sim") && t->c->part->kind == SL_PART_CORRECT && t->c->calls <= 1 &&
         !t->c->n_then && !t->c->kinds && t->c->n != SL_WHOLE && usual_schedule(t) &&
         !sl__took_long(t->record);
}

static json_t *run_smaller(const sl_ladder *l, const sl_case *c) {
  SL_FREED char *options = NULL;
  FILE *f = sl_text_stream(&options);
  sl__put_case(f, l->lab->info, c);
  fclose(f);
  json_t *record = sl__run_again(l, options);
  const bool fails = !strcmp(sl_json_text(record, "status"), "fail");
  if (!fails) json_decref(record);
  return fails ? record : NULL;
}

// A case of one call, whatever it was made of.
static sl_case alone(const sl_case *from) {
  sl_case c = *from;
  c.rotated = c.kinds = false, c.calls = 1, c.n_also = c.n_draw = c.n_then = 0, c.named.to = 0,
  c.schedules[0] = 0;
  return c;
}

bool sl__fails_at(const sl_ladder *l, uint64_t n) {
  sl_case c = alone(l->failed->c);
  if (strcmp(l->backend, "sim") != 0 || c.part->kind != SL_PART_CORRECT || n > sl_case_largest(l->failed->c))
    return false;
  c.n = n;
  json_t *record = run_smaller(l, &c);
  json_decref(record);
  return record;
}

// Tries sizes up from the largest right one, with [dist] for input.
static bool shrink_with(const sl_ladder *l, const char *dist, uint64_t n, sl_failure *f) {
  static const uint64_t SIZES[] = {2,  3,   4,   5,   8,   16,   32,   33,   64,
                                   65, 128, 129, 256, 512, 1024, 2048, 2049, 4097};
  enum { N = sizeof SIZES / sizeof *SIZES };
  const uint64_t right = largest_right(l, l->failed->c, dist, n);
  sl_case c = alone(l->failed->c);
  snprintf(c.dist, sizeof c.dist, "%s", dist);
  c.dataset[0] = 0;
  for (size_t k = 0; k <= N; k++) {
    c.n = k < N ? SIZES[k] : n;
    if (c.n <= right || c.n > n || (k < N && c.n == n)) continue;
    json_t *record = run_smaller(l, &c);
    if (!record) continue;
    json_decref(f->record);
    f->record = record, f->shown = c;
    return true;
  }
  return false;
}

// Does the pattern say what happened, rather than where?
static bool telling(const json_t *record) {
  static const char *const VAGUE[] = {"",      "last",       "first",   "odd", "even",
                                      "whole", "from_there", "descent", NULL};
  const char *pattern = sl__pattern_of(record);
  for (size_t k = 0; VAGUE[k]; k++)
    if (!strcmp(pattern, VAGUE[k])) return false;
  return true;
}

// Keys that fall: two of them show what a run of equal ones hides. Only if they tell the same.
static bool shrink_keys(const sl_ladder *l, const char *pattern, uint64_t n, sl_failure *small) {
  if (l->failed->c->entry != SL_ENTRY_SORT || !shrink_with(l, "reversed", n, small)) return false;
  if (telling(small->record) && !strcmp(sl__pattern_of(small->record), pattern)) return true;
  json_decref(small->record);
  small->record = NULL;
  return false;
}

// Ones show a wrong sum best, as a result tells its elements. Some marks show what all or none do not.
static bool shrink_sums(const sl_ladder *l, uint64_t n, sl_failure *small) {
  enum { FEW = 8, SOME = 64 };
  return shrink_with(l, "ones", n, small) || (n <= FEW && shrink_with(l, "powers", n, small)) ||
         (is_marks(l->failed->c) && shrink_with(l, "spike", n < SOME ? n : SOME, small));
}

// The same size with an input that shows which elements each sum holds. Where that tells what happened and
// ones do not, it is told alone.
static void find_summands(const sl_ladder *l, sl_failure *f) {
  sl_case c = f->shown;
  if (strcmp(c.dist, "ones") != 0 || c.n > 8) return;
  snprintf(c.dist, sizeof c.dist, "powers");
  json_t *record = run_smaller(l, &c);
  if (!record || !telling(record) || telling(f->record)) {
    f->summands = record;
    return;
  }
  json_decref(f->record);
  f->record = record, f->shown = c;
}

void sl__shrink(const sl_ladder *l, sl_failure *f) {
  const sl_case *c = l->failed->c;
  const json_t *call = json_object_get(json_object_get(f->record, "fields"), "n");
  const uint64_t n = call ? (uint64_t)json_integer_value(call) : c->n;
  const char *of = sl_json_text(json_object_get(f->record, "fields"), "of"), // may name numbers of the source
      *dist = strchr(of, '@') ? of : c->dist;
  const bool sums = is_sum(c);
  sl_failure small = {.record = NULL};
  if (!can_shrink(l) || n < 2) return;
  const bool shown = sums && shrink_sums(l, n, &small);
  const bool keys = shrink_keys(l, sl__pattern_of(f->record), n, &small);
  if (!shown && !keys && !shrink_with(l, dist, n, &small)) return;
  if (shown && small.shown.n > 2 && small.shown.n <= 8) // fewer elements may show it, where they differ
    shrink_with(l, "powers", small.shown.n - 1, &small);
  if (sums) find_summands(l, &small);
  if (telling(f->record) &&
      strcmp(sl__pattern_of(f->record), sl__pattern_of(small.record))) { // more elements make it surer
    json_decref(small.record);
    json_decref(small.summands);
    return;
  }
  json_decref(f->record);
  f->record = small.record, f->shown = small.shown, f->summands = small.summands, f->smaller = true;
}
