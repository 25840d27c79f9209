// Runs ctest in the submissions' folders, several at a time, and reads each record as its test ends.
//
// Interface: sl__run_tests. CTest schedules the tests of one submission and reports
// (OUT/ctest/SUBMISSION/junit.xml). The score comes from the records: each carries a nonce derived from this
// run's secret. The tests inherit their tickets in an unnamed memory file. The jobs of -j are shared out: a
// class keeps every job busy until its last submissions, whatever the tests of one submission wait for. On
// real GPUs each submission of a class has one of them.
#include "grade.h"

#include <poll.h>
#include <sys/mman.h>

enum { MOST_RUNNING = 64, LINE_CAP = 1024 };

// A submission whose tests run.
typedef struct harvest {
  sl_submission *s; // NULL: this place is free
  const char *dir;
  sl_child ctest;
  int jobs, gpu;       // gpu: the first of its real GPUs
  char line[LINE_CAP]; // ctest's output, as far as it has come
  size_t length;
  char said[2048]; // the first output of ctest, shown if ctest fails
} harvest;

// A submission whose tests will run, and the work in them.
typedef struct waiting {
  sl_submission *s;
  double work;
} waiting;

typedef struct run {
  sl_grading *g;
  int secret_fd, free_jobs, gpus;
  waiting *queue;
  size_t next, n; // the next of the queue; its length
  harvest at[MOST_RUNNING];
  sl_progress progress;
  sl_error *error;
  bool ok;
} run;

// Taking in results -----------------------------------------------------------------------------------------

static sl_seen read_seen(const char *path, const char *nonce) {
  sl_seen seen = {0};
  json_auto_t *v = sl_json_read(path, 4096, NULL);
  const char *got = json_string_value(json_object_get(v, "nonce"));
  int timed_out = 0;
  if (got && strcmp(got, nonce) == 0)
    seen.known = json_unpack(v, "{s:i, s:i, s:b, s:F}", "code", &seen.code, "signal", &seen.signal,
                             "timed_out", &timed_out, "seconds", &seen.seconds) == 0;
  seen.timed_out = timed_out;
  return seen;
}

static void add_log(sl_arena *a, const char *dir, sl_test *t) {
  SL_FREED char *path = sl_path("%s/raw/%s.log", dir, t->name);
  SL_FREED char *log = sl_read_file(path, 1 << 20, NULL, NULL);
  if (log && *log)
    t->r.detail = sl__safe_lines(a, sl__str(a, "%s%s%s", t->r.detail, *t->r.detail ? "\n" : "", log));
}

// Files of a grading do not hold what students may not see of a test.
static void conceal(run *r, const harvest *h, sl_test *t, const char *record) {
  if (!sl__is_concealed(&r->g->course, t->c)) {
    if (t->c->visibility != SL_PUBLIC) sl__reveal(r->g->arena, t);
    return;
  }
  SL_FREED char *log = sl_path("%s/raw/%s.log", h->dir, t->name);
  sl__conceal(r->g->arena, t);
  unlink(record);
  unlink(log);
}

// Reads the record of one test that has ended.
static void take_test(run *r, const harvest *h, const sl_graded_lab *gl, sl_test *t) {
  char nonce[SL_HEX256];
  sl__nonce(r->g->course.secrets.run, t->name, nonce);
  SL_FREED char *record = sl_path("%s/raw/%s.json", h->dir, t->name),
                *status = sl_path("%s/raw/%s.end", h->dir, t->name);
  sl_seen seen = read_seen(status, nonce);
  SL_FREED char *text = sl_read_file(record, 16 << 20, NULL, NULL);
  sl__judge_result(r->g->arena, t, gl->lab->info->name, text, nonce, &seen);
  t->r.run = false;
  if (t->r.status == SL_ERROR) add_log(r->g->arena, h->dir, t);
  conceal(r, h, t, record);
  if (r->ok) r->ok = sl__keep(r->g, h->s, t, r->error);
}

// Tells of a test that has ended; names its submission in a class.
static void step(run *r, const harvest *h, const char *test) {
  SL_FREED char *name = r->g->is_class ? sl_path("%s %s", h->s->name, test) : sl_path("%s", test);
  sl__progress_step(&r->progress, name);
}

// Reads a line of ctest. A test has ended: " 12/240 Test  #3: 03.scan.n1024.sim ....   Passed  0.04 sec".
static void take_line(run *r, harvest *h) {
  char name[160];
  sl_append(h->said, sizeof h->said, "", "%s\n", h->line);
  if (!strchr(h->line, '/') || sscanf(h->line, " %*u/%*u Test #%*u: %159s", name) != 1) return;
  SL_EACH_LAB(h->s, gl)
    SL_EACH_RUN(gl, t) {
      if (!t->r.run || strcmp(t->name, name) != 0) continue;
      take_test(r, h, gl, t);
      step(r, h, name);
    }
}

static void take_text(run *r, harvest *h, const char *text, size_t len) {
  for (size_t k = 0; k < len; k++) {
    bool ends = text[k] == '\n';
    if (!ends && h->length < LINE_CAP - 1) h->line[h->length++] = text[k];
    if (!ends) continue;
    h->line[h->length] = 0;
    take_line(r, h);
    h->length = 0;
  }
}

typedef struct rest {
  run *r;
  const harvest *h;
} rest;

static void take_rest(void *arg, const sl_graded_lab *gl, sl_test *t) {
  rest *left = arg;
  if (t->r.run) take_test(left->r, left->h, gl, t);
}

// One submission --------------------------------------------------------------------------------------------

// The first GPU that no other submission has.
static int free_gpu(const run *r, const harvest *own) {
  int gpu = 0;
  for (int k = 0; k < MOST_RUNNING; k++)
    if (r->at[k].s && &r->at[k] != own && r->at[k].gpu == gpu) gpu++, k = -1;
  return gpu;
}

static bool start_ctest(run *r, harvest *h, sl_submission *s, int jobs) {
  *h = (harvest){.s = s, .jobs = jobs, .dir = sl__str(r->g->arena, "%s/ctest/%s", r->g->course.out, s->id)};
  const int keep[] = {r->secret_fd, -1};
  bool gpu = !strcmp(r->g->course.backend, "gpu");
  SL_FREED char *many = sl_path("%d", jobs), *gpus = sl_path("%s/gpus.json", h->dir);
  char *argv[] = {"ctest", "-j", many, "--no-tests=ignore", "--output-junit", "junit.xml", NULL, gpus, NULL};
  if (gpu) argv[6] = "--resource-spec-file";
  h->gpu = free_gpu(r, h);
  sl_process ctest = {argv, NULL, h->dir, keep, SL_STDIO_CAPTURE};
  bool ok = sl__write_ctest(r->g, s, h->dir, r->secret_fd, r->error) &&
            (!gpu || sl__write_gpus(gpus, h->gpu, r->g->is_class ? 1 : r->gpus, r->error)) &&
            sl_spawn(&h->ctest, &ctest, r->error);
  if (!ok && r->error->code == SL_EXIT_INPUT) r->error->code = SL_EXIT_INFRA;
  if (ok) r->free_jobs -= jobs;
  else h->s = NULL;
  return ok;
}

static void end_ctest(run *r, harvest *h) {
  sl_exit_status end = sl_wait(&h->ctest, 0);
  close(h->ctest.out);
  if (end.code != 0 && end.code != 8) // 8: some tests failed
    r->ok = sl_fail(r->error, SL_EXIT_INFRA, NULL, "ctest ended with %d: %s", end.code, h->said);
  rest left = {r, h};
  if (r->ok) sl__each_due(h->s, take_rest, &left);
  r->free_jobs += h->jobs;
  h->s = NULL;
}

static void stop_ctest(harvest *h) {
  if (!h->s) return; // it has just ended
  sl_kill(&h->ctest);
  close(h->ctest.out);
  h->s = NULL;
}

// All of them -----------------------------------------------------------------------------------------------

static int count_running(const run *r) {
  int n = 0;
  for (int k = 0; k < MOST_RUNNING; k++) n += r->at[k].s != NULL;
  return n;
}

// Timed tests run alone, so only one ctest may use a real GPU.
static int jobs_for_next(const run *r) {
  int left = (int)(r->n - r->next);
  if (strcmp(r->g->course.backend, "gpu") == 0) {
    int without = r->gpus - count_running(r); // GPUs that nobody has
    left = left < without ? left : without;
    if (left <= 0) return 0;
  }
  return (r->free_jobs + left - 1) / left;
}

static harvest *free_place(run *r) {
  for (int k = 0; k < MOST_RUNNING; k++)
    if (!r->at[k].s) return &r->at[k];
  return NULL;
}

// Starts as many submissions as there are jobs for.
static void start_more(run *r) {
  harvest *h;
  while (r->ok && r->next < r->n && r->free_jobs > 0 && (h = free_place(r))) {
    int jobs = jobs_for_next(r);
    if (jobs == 0) return;
    r->ok = start_ctest(r, h, r->queue[r->next++].s, jobs);
  }
}

static size_t list_running(run *r, harvest *which[MOST_RUNNING], struct pollfd fds[MOST_RUNNING]) {
  size_t n = 0;
  for (int k = 0; k < MOST_RUNNING; k++) {
    if (!r->at[k].s) continue;
    fds[n] = (struct pollfd){.fd = r->at[k].ctest.out, .events = POLLIN};
    which[n++] = &r->at[k];
  }
  return n;
}

static void take_output(run *r, harvest *h) {
  char text[4096];
  ssize_t len = read(h->ctest.out, text, sizeof text);
  if (len > 0) take_text(r, h, text, (size_t)len);
  else if (len == 0 || errno != EINTR) end_ctest(r, h);
}

static void run_to_the_end(run *r) {
  harvest *which[MOST_RUNNING];
  struct pollfd fds[MOST_RUNNING];
  size_t n;
  start_more(r);
  while ((n = list_running(r, which, fds)) > 0 && r->ok) {
    if (poll(fds, n, -1) < 0 && errno != EINTR)
      r->ok = sl_fail(r->error, SL_EXIT_INFRA, NULL, "poll: %s", strerror(errno));
    for (size_t k = 0; k < n && r->ok; k++)
      if (fds[k].revents) take_output(r, which[k]);
    start_more(r);
  }
  for (n = 0; n < MOST_RUNNING; n++) stop_ctest(&r->at[n]);
}

// A ticket for every test of the course. Every submission has the same tests.
static bool write_tickets(const sl_grading *g, int fd) {
  bool ok = fd >= 0;
  SL_EACH_LAB(&g->subs[0], gl)
    SL_EACH_RUN(gl, t) {
      sl_ticket ticket;
      sl__ticket(&g->course.secrets, t->name, &ticket);
      ok = ok && write(fd, &ticket, sizeof ticket) == sizeof ticket;
    }
  return ok;
}

static int secret_file(const sl_grading *g, sl_error *e) {
  int fd = memfd_create("secret", MFD_CLOEXEC);
  if (!write_tickets(g, fd)) sl_fail(e, SL_EXIT_INFRA, NULL, "no memory file: %s", strerror(errno));
  return fd;
}

static int most_work_first(const void *a, const void *b) {
  const waiting *x = a, *y = b;
  if (x->work != y->work) return x->work < y->work ? 1 : -1;
  return (x->s > y->s) - (x->s < y->s);
}

// Submissions with little work come last, so that at the end no job waits long for the others.
static void queue_due(run *r) {
  r->queue = sl__alloc(r->g->arena, (r->g->n + 1) * sizeof *r->queue);
  for (size_t i = 0; i < r->g->n; i++) {
    double work = sl__work_due(&r->g->subs[i]);
    if (work > 0) r->queue[r->n++] = (waiting){&r->g->subs[i], work};
  }
  qsort(r->queue, r->n, sizeof *r->queue, most_work_first);
}

static void count_test(void *arg, const sl_graded_lab *, sl_test *) { ++*(size_t *)arg; }

bool sl__run_tests(sl_grading *g, sl_error *e) {
  run *r = sl__alloc(g->arena, sizeof *r);
  size_t due = 0;
  *r = (run){.g = g, .free_jobs = g->course.jobs, .gpus = sl__gpus(), .error = e, .ok = true};
  queue_due(r);
  if (r->n == 0) return true;
  for (size_t i = 0; i < r->n; i++) sl__each_due(r->queue[i].s, count_test, &due);
  r->secret_fd = secret_file(g, e);
  if (e->code) return false;
  sl__progress_start(&r->progress, "grading", due, g->course.terminal);
  run_to_the_end(r);
  sl__progress_end(&r->progress);
  close(r->secret_fd);
  return r->ok;
}
