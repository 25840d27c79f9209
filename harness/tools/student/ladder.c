// The ladder of a lab: its parts in the order of lab.json, and the score, the same as grading's.
//
// Interface: student.h, ladder.c.
#include "judge/settle.h"
#include "student.h"

enum { LARGE = 1 << 20, SMALL = 1 << 17, JUDGE_MARGIN = 60, LOG_CAP = 16 << 10, RECORD_CAP = 16 << 20 };

// One case --------------------------------------------------------------------------------------------------

static json_t *run_judge(const sl_ladder *l, const sl_case *c, const char *record, sl_error *e) {
  SL_FREED char *name = sl_path("%s.%s", c->part->id, c->id);
  // On a real GPU speed is compared with a solution, which students do not have.
  const char *backend = c->part->kind == SL_PART_SPEED ? "sim" : l->backend;
  SL_FREED char *out = NULL;
  sl_command command;
  sl__judge_command(l, backend, &command);
  sl_command_words(&command, SL_WORDS("--case", name, "--record", record, "--nonce", SL_STUDENT_NONCE));
  sl_run_by_work(command.argv, NULL, c->timeout * sl_case_rounds(c) + JUDGE_MARGIN, LOG_CAP, &out, e);
  json_t *o = e->code ? NULL : sl_json_read(record, RECORD_CAP, NULL);
  if (!o && out && !e->code) // its own words, whatever they are
    sl_fail(e, SL_EXIT_INFRA, NULL, "%s: the judge left no record: %.*s", name, (int)strcspn(out, "\n"), out);
  unlink(record);
  sl_command_end(&command);
  return o;
}

static sl_status status_of(const json_t *record) {
  sl_status s = sl_status_find(json_string_value(json_object_get(record, "status")));
  return s == SL_PASS || s == SL_FAIL ? s : SL_ERROR;
}

bool sl__judge_trial(const sl_ladder *l, sl_trial *t, sl_error *e) {
  SL_FREED char *what = sl_path("%s.%s.json", t->c->part->id, t->c->id), *record = sl__scratch(what, e);
  t->record = record ? run_judge(l, t->c, record, e) : NULL;
  t->status = status_of(t->record);
  if (t->status != SL_ERROR || e->code) return !e->code;
  const char *text = json_string_value(json_object_get(t->record, "message"));
  return sl_fail(e, SL_EXIT_INFRA, json_string_value(json_object_get(t->record, "hint")), "%s.%s: %s",
                 t->c->part->id, t->c->id, text ? text : "the judge's record has no status");
}

bool sl__is_shared(const sl_trial *t) {
  const sl_case *c = t->c;
  const bool fits = c->part->kind == SL_PART_CORRECT || c->part->kind == SL_PART_COUNTERS;
  return t->status == SL_UNTRIED && fits && c->n != SL_WHOLE && sl_case_largest(c) <= SMALL;
}

// One part --------------------------------------------------------------------------------------------------

static void prepare_step(sl_ladder *l, const sl_part *part, sl_ladder_step *s) {
  s->part = part;
  s->trials = calloc(part->n_cases, sizeof *s->trials);
  for (size_t k = 0; k < part->n_cases; k++) {
    sl_trial *t = &s->trials[k];
    t->c = &part->cases[k];
    const bool chosen = sl__section_chosen(l->lab, l->only, t->c), fits = sl_case_runs_on(t->c, l->backend);
    t->status = !chosen || !fits || (!l->all && sl_case_largest(t->c) > LARGE) ? SL_SKIP : SL_UNTRIED;
    s->n_chosen += chosen;
    s->max += chosen ? t->c->points : 0;
    l->total += t->status == SL_UNTRIED;
  }
  if (s->n_chosen == part->n_cases) s->max = part->points;
  l->max += s->max;
}

static double points_kept(const sl_trial *t) {
  return json_number_value(json_object_get(t->record, "points"));
}

// Why the result of [by] takes the points of [of], without a look at the rest of the part.
static sl_reason reason_to_take(const sl_trial *of, const sl_trial *by) {
  if (!by->c) return SL_REASON_COUNT;
  const sl_reason why = sl_reason_find(json_string_value(json_object_get(by->record, "reason")));
  const json_t *fields = json_object_get(by->record, "fields");
  return sl_taken_by(of->c, by->c, &(sl_outcome){by->status, why, fields, points_kept(by)});
}

// The trial of the parts so far that takes the points of [of]; NULL: none does.
static const sl_trial *taken_by(const sl_ladder *l, const sl_trial *of) {
  for (size_t k = 0; k < l->n_added; k++)
    for (size_t i = 0; i < l->steps[k].part->n_cases; i++) {
      const sl_trial *by = &l->steps[k].trials[i];
      const sl_reason why = reason_to_take(of, by);
      if (why == SL_REASON_GRADE_SIZE && l->steps[of->c->part - l->lab->parts].count[SL_FAIL]) continue;
      if (why != SL_REASON_COUNT) return by;
    }
  return NULL;
}

// Points as in grading: a slow result has a share of them.
static double points_of(const sl_ladder *l, const sl_trial *t) {
  if (t->status > SL_FAIL || taken_by(l, t)) return 0;
  return t->status == SL_PASS ? t->c->points : points_kept(t);
}

// Is the result right, and a counter is not?
static bool by_counter(const sl_trial *t) {
  const char *reason = json_string_value(json_object_get(t->record, "reason"));
  return reason && !strncmp(reason, "counter.", strlen("counter."));
}

// What is written is told of rather than what is still open. A wrong result is told of a case that asks for
// nothing else, rather than of one whose counters would be judged. What is found in small cases is told
// rather than a result that is wrong in large ones alone.
static bool tells_more(const sl_ladder *l, const sl_skeleton *s, const sl_trial *t, const sl_trial *than) {
  const bool open = sl__section_open(l->lab, s, t->c), was = sl__section_open(l->lab, s, than->c);
  if (open != was) return was;
  const sl_part_kind kind = t->c->part->kind, was_kind = than->c->part->kind;
  if (kind == SL_PART_CLEAN && was_kind == SL_PART_CORRECT && sl_case_largest(than->c) > SMALL)
    return json_array_size(json_object_get(t->record, "findings")) > 0;
  return was_kind == SL_PART_COUNTERS && !by_counter(than) && kind == SL_PART_CORRECT;
}

void sl__ladder_add(sl_ladder *l, const sl_skeleton *skeleton) {
  sl_ladder_step *s = &l->steps[l->n_added++];
  for (size_t k = 0; k < s->part->n_cases; k++) {
    const sl_trial *t = &s->trials[k];
    if (!sl__section_chosen(l->lab, l->only, t->c)) continue;
    s->count[t->status]++;
    s->points += points_of(l, t);
    if (t->status == SL_SKIP) l->left_out += t->c->points;
    if (t->status == SL_FAIL && (!l->failed || tells_more(l, skeleton, t, l->failed))) l->failed = t;
  }
}

// Later parts may have taken points of earlier ones: [taken] says so where a step was shown with more.
void sl__ladder_settle(sl_ladder *l) {
  for (size_t k = 0; k < l->n_added; k++) {
    sl_ladder_step *s = &l->steps[k];
    double before = s->points;
    s->points = 0;
    for (size_t i = 0; i < s->part->n_cases; i++) {
      const sl_trial *t = &s->trials[i], *by = taken_by(l, t);
      if (t->status == SL_PASS && by) s->taken = by;
      s->points += points_of(l, t);
    }
    if (s->points == before) s->taken = NULL;
    l->points += s->points;
  }
}

void sl__ladder_prepare(sl_ladder *l) {
  l->steps = calloc(l->lab->n_parts, sizeof *l->steps);
  for (size_t k = 0; k < l->lab->n_parts; k++) prepare_step(l, &l->lab->parts[k], &l->steps[k]);
}

void sl__ladder_free(sl_ladder *l) {
  for (size_t k = 0; l->steps && k < l->lab->n_parts; k++) {
    for (size_t i = 0; l->steps[k].trials && i < l->steps[k].part->n_cases; i++)
      json_decref(l->steps[k].trials[i].record);
    free(l->steps[k].trials);
  }
  free(l->steps);
  free(l->runner);
  free(l->log);
}
