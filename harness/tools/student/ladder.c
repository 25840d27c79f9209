// The ladder of a lab: its parts in the order of lab.json, each case judged by an sl-judge process of its
// own, several at a time.
//
// Interface: student.h, ladder.c. All parts are judged, so that the score is the one that grading gives. If a
// case fails after more than SLOW seconds (a kernel that does not end), the cases that have not begun are
// left out.
#include "judge/settle.h"
#include "student.h"

#include <pthread.h>
#include <unistd.h>

enum {
  LARGE = 1 << 20,
  SMALL = 1 << 16,
  SLOW = 5,
  JUDGE_MARGIN = 60,
  LOG_CAP = 16 << 10,
  RECORD_CAP = 16 << 20
};

typedef struct pool {
  sl_ladder *l;
  sl_ladder_step *step;
  size_t next, share; // the next trial; the next share of those that are judged together
  sl_show_step *progress;
  pthread_mutex_t lock;
  sl_error e;
} pool;

static uint64_t largest(const sl_case *c) {
  uint64_t most = c->n == SL_WHOLE ? 0 : c->n;
  for (unsigned k = 0; k < c->n_also; k++)
    if (c->also[k] > most) most = c->also[k];
  for (unsigned k = 0; k < c->n_draw; k++)
    if (c->draw[k].to > most) most = c->draw[k].to;
  return most;
}

// One case --------------------------------------------------------------------------------------------------

static json_t *run_judge(const sl_ladder *l, const sl_case *c, const char *record, sl_error *e) {
  SL_FREED char *name = sl_path("%s.%s", c->part->id, c->id);
  // On a real GPU speed is compared with a solution, which students do not have.
  const char *backend = c->part->kind == SL_PART_SPEED ? "sim" : l->backend;
  const char *const more[] = {"--case", name, "--record", record, "--nonce", SL_STUDENT_NONCE, NULL};
  char *out = NULL;
  sl_command command;
  sl__judge_command(l, backend, &command);
  for (unsigned k = 0; more[k]; k++) sl_command_add(&command, "%s", more[k]);
  sl_run(command.argv, NULL, c->timeout * sl_case_rounds(c) + JUDGE_MARGIN, LOG_CAP, &out, e);
  SL_FREED char *text = e->code ? NULL : sl_read_file(record, RECORD_CAP, NULL, NULL);
  json_t *o = text ? json_loads(text, 0, NULL) : NULL;
  if (!o && out && !e->code) // its own words, whatever they are
    sl_fail(e, SL_EXIT_INFRA, NULL, "%s: the judge left no record: %.*s", name, (int)strcspn(out, "\n"), out);
  unlink(record);
  free(out);
  sl_command_end(&command);
  return o;
}

static sl_status status_of(const json_t *record) {
  sl_status s = sl_status_find(json_string_value(json_object_get(record, "status")));
  return s == SL_PASS || s == SL_FAIL ? s : SL_ERROR;
}

static void judge(pool *p, sl_trial *t) {
  sl_error e = {0};
  char *what = sl_path("%s.%s.json", t->c->part->id, t->c->id), *record = sl__scratch(what, &e);
  double start = sl_now();
  t->record = record ? run_judge(p->l, t->c, record, &e) : NULL;
  const json_t *seconds = json_object_get(t->record, "seconds"); // without the time of compiling in the judge
  t->seconds = seconds ? json_number_value(seconds) : sl_now() - start;
  t->status = status_of(t->record);
  if (t->status == SL_ERROR && !e.code) {
    const char *text = json_string_value(json_object_get(t->record, "message"));
    sl_fail(&e, SL_EXIT_INFRA, json_string_value(json_object_get(t->record, "hint")), "%s.%s: %s",
            t->c->part->id, t->c->id, text ? text : "the judge's record has no status");
  }
  free(record);
  free(what);
  pthread_mutex_lock(&p->lock);
  if (e.code) sl_fail(&p->e, e.code, e.hint[0] ? e.hint : NULL, "%s", e.text);
  if (t->status != SL_PASS && t->seconds > SLOW) p->l->stopped = true;
  pthread_mutex_unlock(&p->lock);
}

// Together --------------------------------------------------------------------------------------------------

// As in grading (grader/ctest.c): results only; large cases stay apart, so that all cores have work.
static bool is_shared(const sl_trial *t) {
  const sl_case *c = t->c;
  return t->status == SL_UNTRIED && c->part->kind == SL_PART_CORRECT && !*c->schedules && !c->dataset[0] &&
         largest(c) <= SMALL;
}

// One of as many shares as there are jobs: each has large and small cases.
static void judge_share(pool *p, size_t share) {
  const sl_part *part = p->step->part;
  sl_trial **mine = calloc(part->n_cases, sizeof(sl_trial *));
  size_t n = 0, seen = 0;
  for (size_t k = 0; mine && k < part->n_cases; k++)
    if (is_shared(&p->step->trials[k]) && seen++ % (size_t)p->l->jobs == share)
      mine[n++] = &p->step->trials[k];
  if (n > 1) sl__judge_together(p->l, mine, n, SLOW);
  pthread_mutex_lock(&p->lock);
  for (size_t k = 0; k < n; k++) p->l->ran += mine[k]->status != SL_UNTRIED;
  if (p->progress && n) p->progress(p->l, p->step);
  pthread_mutex_unlock(&p->lock);
  free(mine);
}

static void *work_together(void *arg) {
  pool *p = arg;
  for (;;) {
    pthread_mutex_lock(&p->lock);
    const size_t share = p->l->stopped ? (size_t)p->l->jobs : p->share++;
    pthread_mutex_unlock(&p->lock);
    if (share >= (size_t)p->l->jobs) return NULL;
    judge_share(p, share);
  }
}

// One part --------------------------------------------------------------------------------------------------

static sl_trial *next_trial(pool *p) {
  sl_trial *t = NULL;
  pthread_mutex_lock(&p->lock);
  while (!t && p->next < p->step->part->n_cases && !p->l->stopped && !p->e.code) {
    t = &p->step->trials[p->next++];
    if (t->status != SL_UNTRIED) t = NULL;
  }
  pthread_mutex_unlock(&p->lock);
  return t;
}

static void *work(void *arg) {
  pool *p = arg;
  for (sl_trial *t; (t = next_trial(p));) {
    judge(p, t);
    pthread_mutex_lock(&p->lock);
    p->l->ran++;
    if (p->progress) p->progress(p->l, p->step);
    pthread_mutex_unlock(&p->lock);
  }
  return NULL;
}

static void prepare_step(sl_ladder *l, const sl_part *part, sl_ladder_step *s) {
  s->part = part;
  s->trials = calloc(part->n_cases, sizeof *s->trials);
  for (size_t k = 0; k < part->n_cases; k++) {
    sl_trial *t = &s->trials[k];
    t->c = &part->cases[k];
    const bool chosen = sl__section_chosen(l->lab, l->only, t->c), fits = sl_case_runs_on(t->c, l->backend);
    t->status = !chosen || !fits || (!l->all && largest(t->c) > LARGE) ? SL_SKIP : SL_UNTRIED;
    s->n_chosen += chosen;
    s->max += chosen ? t->c->points : 0;
    l->total += t->status == SL_UNTRIED;
  }
  if (s->n_chosen == part->n_cases) s->max = part->points;
  l->max += s->max;
}

static sl_reason reason_of(const sl_trial *t) {
  return sl_reason_find(json_string_value(json_object_get(t->record, "reason")));
}

// The trial of those so far that takes the points of [of]; NULL: none does.
static const sl_trial *taken_by(const sl_ladder *l, const sl_trial *of) {
  for (size_t k = 0; k < l->lab->n_parts; k++)
    for (size_t i = 0; i < l->steps[k].part->n_cases; i++) {
      const sl_trial *by = &l->steps[k].trials[i];
      sl_reason why = by->c ? sl_taken_by(of->c, by->c, by->status, reason_of(by)) : SL_REASON_COUNT;
      if (why == SL_REASON_GRADE_SIZE && l->steps[of->c->part - l->lab->parts].count[SL_FAIL]) continue;
      if (why != SL_REASON_COUNT) return by;
    }
  return NULL;
}

// Points as in grading: a slow result has a share of them.
static double points_of(const sl_ladder *l, const sl_trial *t) {
  if (t->status > SL_FAIL || taken_by(l, t)) return 0;
  return t->status == SL_PASS ? t->c->points : json_number_value(json_object_get(t->record, "points"));
}

// What is written is told of rather than what is still open. A wrong result is told of a case that asks for nothing
// else, rather than of one whose counters would be judged.
static bool tells_more(const sl_ladder *l, const sl_skeleton *s, const sl_trial *t, const sl_trial *than) {
  const bool open = sl__section_open(l->lab, s, t->c), was = sl__section_open(l->lab, s, than->c);
  if (open != was) return was;
  return than->c->part->kind == SL_PART_COUNTERS && reason_of(than) == reason_of(t) &&
         t->c->part->kind == SL_PART_CORRECT;
}

static void add_up(sl_ladder *l, const sl_skeleton *skeleton, sl_ladder_step *s) {
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
static void settle(sl_ladder *l) {
  for (size_t k = 0; k < l->lab->n_parts && l->steps[k].trials; k++) {
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

// As many threads as there are jobs; this one if no other can be had.
static void work_in_threads(pool *p, void *(*body)(void *)) {
  pthread_t threads[64];
  int n = 0;
  while (n < p->l->jobs && n < 64 && pthread_create(&threads[n], NULL, body, p) == 0) n++;
  if (n == 0) body(p);
  while (n > 0) pthread_join(threads[--n], NULL);
}

static bool climb_part(sl_ladder *l, const sl_skeleton *skeleton, sl_ladder_step *s, sl_show_step *progress,
                       sl_error *e) {
  pool p = {.l = l, .step = s, .progress = progress, .lock = PTHREAD_MUTEX_INITIALIZER};
  work_in_threads(&p, work_together);
  work_in_threads(&p, work);
  add_up(l, skeleton, s);
  return !p.e.code || sl_fail(e, p.e.code, p.e.hint[0] ? p.e.hint : NULL, "%s", p.e.text);
}

bool sl__climb(sl_ladder *l, sl_show_step *progress, sl_show_step *done, sl_error *e) {
  bool ok = true;
  sl_skeleton skeleton = {0};
  sl_skeleton_read(l->kernel, l->lab->info, &skeleton, NULL);
  l->steps = calloc(l->lab->n_parts, sizeof *l->steps);
  for (size_t k = 0; k < l->lab->n_parts; k++) prepare_step(l, &l->lab->parts[k], &l->steps[k]);
  for (size_t k = 0; ok && k < l->lab->n_parts; k++) {
    ok = climb_part(l, &skeleton, &l->steps[k], progress, e);
    if (ok && done && l->steps[k].n_chosen) done(l, &l->steps[k]);
  }
  if (ok) settle(l);
  sl_skeleton_free(&skeleton);
  return ok;
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
