// Builds every kernel of a grading into its runner, several at a time. A kernel that was built before comes
// from the cache (harness/compile/build.h).
//
// Interface: sl__build_all leaves in each lab the runner, or the problem: the first compiler message when the
// kernel is at fault, the reason when the machine is. It fails only when the whole grading must stop.
#include "grade.h"

#include <pthread.h>

#include "compile/build.h"

typedef struct job {
  sl_graded_lab *gl;
  const sl_submission *sub;
  char *runner, *log;
  sl_error error;
  unsigned beginning; // sl_build_beginning
  bool taken, ok;
} job;

// Is the row of headers that some kernels begin with stored? The first has it made, and others would wait.
typedef enum row { UNKNOWN, IN_THE_MAKING, MADE } row;

typedef struct queue {
  job *jobs;
  size_t n;
  sl_build_config config;
  size_t alike[SL_BEGINNINGS]; // how many kernels, by their beginning
  row rows[SL_BEGINNINGS];
  sl_progress progress;
  pthread_mutex_t lock;
} queue;

// The next job that need not wait for another's row, else the next at all; NULL: there is none.
static job *take_next(queue *q) {
  job *next = NULL;
  pthread_mutex_lock(&q->lock);
  for (size_t k = 0; k < q->n; k++) {
    job *j = &q->jobs[k];
    const bool waits = q->rows[j->beginning] == IN_THE_MAKING;
    if (j->taken || (next && waits)) continue;
    next = j;
    if (!waits) break;
  }
  if (next) next->taken = true;
  if (next && next->beginning && q->rows[next->beginning] == UNKNOWN)
    q->rows[next->beginning] = IN_THE_MAKING;
  pthread_mutex_unlock(&q->lock);
  return next;
}

static void build_one(queue *q, job *j) {
  sl_build_config config = q->config;
  config.hash = j->gl->hash;
  config.alike = q->alike[j->beginning];
  j->ok = sl_build_runner(j->gl->lab->info->number, j->gl->kernel, &config, &j->runner, &j->log, &j->error);
  pthread_mutex_lock(&q->lock);
  q->rows[j->beginning] = MADE;
  SL_FREED char *name = sl_path("%s/%s", j->sub->name, j->gl->lab->info->name);
  sl__progress_step(&q->progress, name);
  pthread_mutex_unlock(&q->lock);
}

static void *worker(void *arg) {
  queue *q = arg;
  for (job *j; (j = take_next(q));) build_one(q, j);
  return NULL;
}

static void take_failure(sl_arena *a, sl_graded_lab *gl, const job *j) {
  gl->infra = j->error.code != SL_EXIT_INPUT;
  const char *why = gl->infra ? NULL : sl_build_fault(&j->error, gl->kernel);
  if (why) sl__set_problem(a, gl, SL_REASON_BUILD_FAILED, sl__safe(a, why));
  else sl__set_problem(a, gl, SL_REASON_BUILD_ERROR, sl__safe(a, j->error.text));
}

// Moves what a job produced into the arena. Only the main thread calls it: the arena has no lock.
static bool take_job(sl_grading *g, job *j, sl_error *e) {
  sl_graded_lab *gl = j->gl;
  gl->log = sl__safe_lines(g->arena, j->log ? j->log : "");
  if (j->ok) gl->runner = sl__str(g->arena, "%s", j->runner);
  else take_failure(g->arena, gl, j);
  free(j->runner);
  free(j->log);
  return !j->ok || sl__hash_file(gl->runner, gl->runner_hash, e);
}

static void run_threads(queue *q, int count) {
  pthread_t threads[256];
  int started = 0;
  if (count > 256) count = 256;
  while (started < count - 1 && pthread_create(&threads[started], NULL, worker, q) == 0) started++;
  worker(q);
  while (started > 0) pthread_join(threads[--started], NULL);
}

static void collect(sl_grading *g, queue *q) {
  SL_EACH_SUB(g, s)
    SL_EACH_LAB(s, gl) {
      if (gl->problem) continue;
      SL_GROW(q->jobs, q->n);
      q->jobs[q->n++] = (job){.gl = gl, .sub = s};
    }
}

static int libraries_first(const void *a, const void *b) {
  const job *x = a, *y = b;
  const int more = (y->beginning != 0) - (x->beginning != 0);
  return more ? more : (x->gl > y->gl) - (x->gl < y->gl);
}

// Kernels with libraries take longest. They come first, so that at the end no job waits long for the others.
static void count_beginnings(queue *q) {
  for (size_t k = 0; k < q->n; k++) {
    job *j = &q->jobs[k];
    j->beginning = sl_build_beginning(j->gl->lab->info->number, j->gl->kernel, &q->config);
    q->alike[j->beginning]++;
  }
  if (q->n) qsort(q->jobs, q->n, sizeof *q->jobs, libraries_first);
}

// Builds the solutions that speed is compared with, one a lab.
static bool build_references(sl_grading *g, const sl_build_config *config, sl_error *e) {
  sl_course *c = &g->course;
  bool ok = true;
  for (size_t i = 0; ok && i < c->n_labs; i++) {
    SL_FREED char *runner = NULL, *log = NULL;
    if (!c->labs[i].solution) continue;
    ok = sl_build_runner(c->labs[i].lab->info->number, c->labs[i].solution, config, &runner, &log, e);
    if (ok) c->labs[i].reference = sl__str(g->arena, "%s", runner);
    ok = ok && sl__hash_file(runner, c->labs[i].reference_hash, e);
    if (!ok) e->code = SL_EXIT_INFRA;
  }
  SL_EACH_SUB(g, s)
    for (size_t k = 0; k < s->n_labs; k++) {
      s->labs[k].reference = c->labs[k].reference;
      memcpy(s->labs[k].reference_hash, c->labs[k].reference_hash, SL_HEX256);
    }
  return ok;
}

bool sl__build_all(sl_grading *g, sl_error *e) {
  queue q = {.lock = PTHREAD_MUTEX_INITIALIZER};
  collect(g, &q);
  q.config.cache = sl__str(g->arena, "%s/cache", g->course.build);
  q.config.native = strcmp(g->course.backend, "gpu") == 0;
  count_beginnings(&q);
  sl__progress_start(&q.progress, "building", q.n, g->course.terminal);
  run_threads(&q, g->course.jobs);
  sl__progress_end(&q.progress);
  bool ok = build_references(g, &q.config, e);
  for (size_t i = 0; i < q.n; i++) ok = take_job(g, &q.jobs[i], e) && ok;
  free(q.jobs);
  return ok;
}
