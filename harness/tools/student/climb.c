// Who judges which case of a ladder, and when. All cores have work until the last case: the parts' cases are
// given out one after the other, and a part is shown when it and those before it are done.
//
// Interface: sl__climb (student.h). All parts are judged. If a case fails that took long (a kernel that
// does not end), the cases that have not begun are left out.
#include "student.h"

#include <pthread.h>

enum { SHARE = 8, TOGETHER_SECONDS = 5 };

// What is given out of a part: first its small cases in shares of at least SHARE, and no more shares than
// jobs; then the others, one by one.
typedef struct part {
  size_t n_shares, shares, next; // shares, next: given out
  size_t unfinished;             // given out and not done
  bool *is_shared;
} part;

typedef struct pool {
  sl_ladder *l;
  part *parts;
  size_t first; // the first part that is not wholly given out
  size_t shown; // the part that is shown next
  sl_show_step *progress;
  pthread_mutex_t lock;
  pthread_cond_t done;
  sl_error e;
} pool;

typedef struct task {
  size_t part, share;
  sl_trial *trial; // NULL: the share
} task;

// Giving out ------------------------------------------------------------------------------------------------

static bool next_of_part(pool *p, size_t k, task *t) {
  part *given = &p->parts[k];
  sl_ladder_step *s = &p->l->steps[k];
  *t = (task){.part = k, .share = given->shares};
  if (given->shares < given->n_shares) return given->shares++, true;
  for (; given->next < s->part->n_cases; given->next++)
    if (!given->is_shared[given->next] && s->trials[given->next].status == SL_UNTRIED)
      return t->trial = &s->trials[given->next++], true;
  return false;
}

static bool next_task(pool *p, task *t) {
  for (; p->first < p->l->lab->n_parts; p->first++) {
    if (p->l->stopped || p->e.code) return p->first = p->l->lab->n_parts, false;
    if (next_of_part(p, p->first, t)) return p->parts[t->part].unfinished++, true;
  }
  return false;
}

// Judging ---------------------------------------------------------------------------------------------------

static void count_judged(pool *p) {
  p->l->ran++;
  if (p->progress) p->progress(p->l, &p->l->steps[p->shown]);
}

static void judge(pool *p, sl_trial *t) {
  sl_error e = {0};
  sl__judge_trial(p->l, t, &e);
  pthread_mutex_lock(&p->lock);
  if (e.code) sl_fail(&p->e, e.code, e.hint[0] ? e.hint : NULL, "%s", e.text);
  if (t->status != SL_PASS && sl__took_long(t->record)) p->l->stopped = true;
  count_judged(p);
  pthread_mutex_unlock(&p->lock);
}

static bool is_stopped(pool *p) {
  pthread_mutex_lock(&p->lock);
  const bool stopped = p->l->stopped || p->e.code;
  pthread_mutex_unlock(&p->lock);
  return stopped;
}

// What could not be judged together is judged one by one.
static void judge_share(pool *p, const task *t) {
  const sl_ladder_step *s = &p->l->steps[t->part];
  SL_FREED sl_trial **mine = calloc(s->part->n_cases, sizeof(sl_trial *));
  size_t n = 0, seen = 0;
  for (size_t k = 0; mine && k < s->part->n_cases; k++)
    if (p->parts[t->part].is_shared[k] && seen++ % p->parts[t->part].n_shares == t->share)
      mine[n++] = &s->trials[k];
  if (n > 1) sl__judge_together(p->l, mine, n, TOGETHER_SECONDS);
  pthread_mutex_lock(&p->lock);
  for (size_t k = 0; k < n; k++)
    if (mine[k]->status != SL_UNTRIED) count_judged(p);
  pthread_mutex_unlock(&p->lock);
  for (size_t k = 0; k < n && !is_stopped(p); k++)
    if (mine[k]->status == SL_UNTRIED) judge(p, mine[k]);
}

static void *work(void *arg) {
  pool *p = arg;
  task t;
  pthread_mutex_lock(&p->lock);
  while (next_task(p, &t)) {
    pthread_mutex_unlock(&p->lock);
    if (t.trial) judge(p, t.trial);
    else judge_share(p, &t);
    pthread_mutex_lock(&p->lock);
    p->parts[t.part].unfinished--;
    pthread_cond_signal(&p->done);
  }
  pthread_cond_signal(&p->done);
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

// Showing ---------------------------------------------------------------------------------------------------

// Shows each part as soon as it is done.
static void show_parts(pool *p, const sl_skeleton *skeleton, sl_show_step *show) {
  pthread_mutex_lock(&p->lock);
  for (; p->shown < p->l->lab->n_parts; p->shown++) {
    while (p->first <= p->shown || p->parts[p->shown].unfinished) pthread_cond_wait(&p->done, &p->lock);
    if (p->e.code) break;
    sl__ladder_add(p->l, skeleton);
    if (show && p->l->steps[p->shown].n_chosen) show(p->l, &p->l->steps[p->shown]);
  }
  pthread_mutex_unlock(&p->lock);
}

// As many threads as there are jobs; this one if no other can be had.
static void judge_and_show(pool *p, const sl_skeleton *skeleton, sl_show_step *show) {
  pthread_t threads[64];
  int n = 0;
  while (n < p->l->jobs && n < 64 && pthread_create(&threads[n], NULL, work, p) == 0) n++;
  if (n == 0) work(p);
  show_parts(p, skeleton, show);
  while (n > 0) pthread_join(threads[--n], NULL);
}

static bool prepare_part(part *p, const sl_ladder_step *s, size_t jobs) {
  size_t n = 0;
  p->is_shared = calloc(s->part->n_cases, sizeof(bool));
  for (size_t k = 0; p->is_shared && k < s->part->n_cases; k++)
    n += p->is_shared[k] = sl__is_shared(&s->trials[k]);
  p->n_shares = n / SHARE < 1 ? n > 0 : n / SHARE < jobs ? n / SHARE : jobs;
  return p->is_shared;
}

static bool prepare(pool *p) {
  const sl_ladder *l = p->l;
  bool ok = (p->parts = calloc(l->lab->n_parts, sizeof *p->parts)) != NULL;
  for (size_t k = 0; ok && k < l->lab->n_parts; k++)
    ok = prepare_part(&p->parts[k], &l->steps[k], (size_t)l->jobs);
  return ok || sl_fail(&p->e, SL_EXIT_INFRA, NULL, "out of memory");
}

bool sl__climb(sl_ladder *l, sl_show_step *progress, sl_show_step *show, sl_error *e) {
  SL_SKELETON skeleton = {0};
  pool p = {
      .l = l, .progress = progress, .lock = PTHREAD_MUTEX_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};
  sl_skeleton_read(l->kernel, l->lab->info, &skeleton, NULL);
  sl__ladder_prepare(l);
  if (prepare(&p)) judge_and_show(&p, &skeleton, show);
  for (size_t k = 0; p.parts && k < l->lab->n_parts; k++) free(p.parts[k].is_shared);
  free(p.parts);
  if (!p.e.code) sl__ladder_settle(l);
  return !p.e.code || sl_fail(e, p.e.code, p.e.hint[0] ? p.e.hint : NULL, "%s", p.e.text);
}
