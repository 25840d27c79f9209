// Writes the CTest folder of a submission, runs ctest in it and reads each record as its test ends.
//
// Interface: sl__run_tests. OUT/ctest/SUBMISSION holds CTestTestfile.cmake (one add_test a graded test),
// jobs.json (what each test runs, read by one_test.c), raw/ (records and how the judge ended) and junit.xml.
// CTest schedules and reports. The score comes from the records: each carries a nonce derived from this run's
// secret. The tests inherit the secret in an unnamed memory file.
#include "grade.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Seconds that the judge may take beyond the case's own limit, and ctest beyond the judge's.
enum { JUDGE_MARGIN = 60, CTEST_MARGIN = 30 };

void sl__nonce(const unsigned char secret[32], const char *test, char out[SL_HEX256]) {
  sl__hmac(secret, test, out);
}

static bool is_due(const sl_graded_lab *gl, const sl_test *t) { return !gl->problem && !t->r.reused; }

// Calls [fn] for each test of [s] that has to run.
static void each_due(const sl_submission *s, void (*fn)(void *, const sl_graded_lab *, sl_test *),
                     void *arg) {
  for (size_t i = 0; i < s->n_labs; i++)
    for (size_t k = 0; k < s->labs[i].n_tests; k++)
      if (is_due(&s->labs[i], &s->labs[i].tests[k])) fn(arg, &s->labs[i], &s->labs[i].tests[k]);
}

// CTestTestfile.cmake ---------------------------------------------------------------------------------------

typedef struct writer {
  sl_arena *a;
  FILE *f;
  const char *self, *dir;
} writer;

// Estimates the work of a case. CTest starts the largest first.
static double elements(const sl_case *c) {
  if (c->visibility != SL_PUBLIC) return 1 << 20; // the file may be seen
  double sum = c->dataset[0] ? 1 << 20 : (double)c->n * c->calls;
  for (unsigned i = 0; i < c->n_also; i++) sum += (double)c->also[i];
  return sum;
}

// Timed tests run alone.
static bool is_timed(const sl_test *t) {
  return t->c->part->kind == SL_PART_SPEED && !strcmp(t->backend, "gpu");
}

static void write_test(void *arg, const sl_graded_lab *gl, sl_test *t) {
  writer *w = arg;
  const char *name = sl__cmake_arg(w->a, t->name);
  fprintf(w->f, "add_test(%s %s --one-test %s %s)\n", name, sl__cmake_arg(w->a, w->self),
          sl__cmake_arg(w->a, w->dir), name);
  fprintf(w->f, "set_tests_properties(%s PROPERTIES\n  LABELS \"%s;%s;%s;%s\" TIMEOUT %.0f COST %.0f%s)\n",
          name, gl->lab->info->number, t->c->part->id, sl_part_kind_names[t->c->part->kind], t->backend,
          t->c->timeout * sl_case_rounds(t->c) + JUDGE_MARGIN + CTEST_MARGIN, elements(t->c),
          is_timed(t) ? " RUN_SERIAL TRUE" : "");
}

char *sl__ctest_text(sl_grading *g, const sl_submission *s, const char *dir) {
  char *text = NULL;
  size_t len;
  writer w = {g->arena, open_memstream(&text, &len), g->course.self, dir};
  if (!w.f) abort();
  fprintf(w.f, "# Written by sl-grade for one grading.\n");
  each_due(s, write_test, &w);
  fclose(w.f);
  char *kept = sl__str(g->arena, "%s", text);
  free(text);
  return kept;
}

// jobs.json -------------------------------------------------------------------------------------------------

typedef struct job_list {
  json_t *tests;
  const char *dir;
} job_list;

static void add_job(void *arg, const sl_graded_lab *gl, sl_test *t) {
  job_list *list = arg;
  char *log = sl_path("%s/raw/%s.log", list->dir, t->name);
  char *which = sl_path("%s.%s", t->c->part->id, t->c->id);
  char *record = sl_path("%s/raw/%s.json", list->dir, t->name),
       *status = sl_path("%s/raw/%s.end", list->dir, t->name);
  unlink(record);
  unlink(status);
  unlink(log);
  t->r.run = true;
  json_object_set_new(list->tests, t->name,
                      json_pack("{s:s, s:s, s:s, s:s?, s:s, s:s, s:s, s:f}", "lab", gl->json, "case", which,
                                "runner", gl->runner, "reference", is_timed(t) ? gl->reference : NULL,
                                "backend", t->backend, "record", record, "status", status, "limit",
                                t->c->timeout * sl_case_rounds(t->c) + JUDGE_MARGIN));
  free(which);
  free(record);
  free(status);
  free(log);
}

static bool write_jobs(sl_grading *g, const sl_submission *s, const char *dir, int secret_fd, sl_error *e) {
  job_list list = {json_object(), dir};
  each_due(s, add_job, &list);
  json_t *all = json_pack("{s:s, s:s?, s:i, s:o}", "judge", g->course.judge, "data", g->course.data,
                          "secret_fd", secret_fd, "tests", list.tests);
  char *text = all ? json_dumps(all, JSON_INDENT(1)) : NULL;
  char *path = sl_path("%s/jobs.json", dir);
  bool ok = text ? sl_write_file(path, text, strlen(text), e)
                 : sl_fail(e, SL_EXIT_INFRA, NULL, "cannot write %s", path);
  free(path);
  free(text);
  json_decref(all);
  return ok;
}

// Taking in results -----------------------------------------------------------------------------------------

typedef struct harvest {
  sl_grading *g;
  sl_submission *s;
  const char *dir;
  sl_progress progress;
  sl_error *error;
  bool ok;
  char said[2048]; // the first output of ctest, shown if ctest fails
} harvest;

static sl_seen read_seen(const char *path, const char *nonce) {
  sl_seen seen = {0};
  char *text = sl_read_file(path, 4096, NULL, NULL);
  json_t *v = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
  const char *got = json_string_value(json_object_get(v, "nonce"));
  int timed_out = 0;
  if (got && strcmp(got, nonce) == 0)
    seen.known = json_unpack(v, "{s:i, s:i, s:b, s:F}", "code", &seen.code, "signal", &seen.signal,
                             "timed_out", &timed_out, "seconds", &seen.seconds) == 0;
  seen.timed_out = timed_out;
  json_decref(v);
  free(text);
  return seen;
}

static void add_log(sl_arena *a, const char *dir, sl_test *t) {
  char *path = sl_path("%s/raw/%s.log", dir, t->name);
  char *log = sl_read_file(path, 1 << 20, NULL, NULL);
  if (log && *log)
    t->r.detail = sl__safe_lines(a, sl__str(a, "%s%s%s", t->r.detail, *t->r.detail ? "\n" : "", log));
  free(log);
  free(path);
}

// Reads the record of one test that has ended.
static void take_test(harvest *h, const sl_graded_lab *gl, sl_test *t) {
  char nonce[SL_HEX256];
  sl__nonce(h->g->course.secrets.run, t->name, nonce);
  char *record = sl_path("%s/raw/%s.json", h->dir, t->name),
       *status = sl_path("%s/raw/%s.end", h->dir, t->name);
  sl_seen seen = read_seen(status, nonce);
  char *text = sl_read_file(record, 16 << 20, NULL, NULL);
  sl__judge_result(h->g->arena, t, gl->lab->info->name, text, nonce, &seen);
  t->r.run = false;
  if (t->r.status == SL_ERROR) add_log(h->g->arena, h->dir, t);
  if (sl__is_concealed(&h->g->course, t->c)) {
    char *log = sl_path("%s/raw/%s.log", h->dir, t->name);
    sl__conceal(h->g->arena, t);
    unlink(record);
    unlink(log);
    free(log);
  } else if (t->c->visibility != SL_PUBLIC) sl__reveal(h->g->arena, t);
  if (h->ok) h->ok = sl__keep(h->g, h->s, t, h->error);
  free(text);
  free(record);
  free(status);
}

// Reads a line of ctest. A test has ended: " 12/240 Test  #3: 03.scan.n1024.sim ....   Passed  0.04 sec".
static void take_line(harvest *h, char *line) {
  char name[160];
  size_t used = strlen(h->said);
  snprintf(h->said + used, sizeof h->said - used, "%s\n", line);
  if (!strchr(line, '/') || sscanf(line, " %*u/%*u Test #%*u: %159s", name) != 1) return;
  for (size_t i = 0; i < h->s->n_labs; i++)
    for (size_t k = 0; k < h->s->labs[i].n_tests; k++) {
      sl_test *t = &h->s->labs[i].tests[k];
      if (!t->r.run || strcmp(t->name, name) != 0) continue;
      take_test(h, &h->s->labs[i], t);
      sl__progress_step(&h->progress, name);
    }
}

static void take_output(harvest *h, int fd) {
  char *line = NULL;
  size_t cap = 0;
  FILE *f = fdopen(fd, "r");
  if (!f) return;
  for (ssize_t len; (len = getline(&line, &cap, f)) > 0;) {
    if (line[len - 1] == '\n') line[len - 1] = 0;
    take_line(h, line);
  }
  free(line);
  fclose(f);
}

static void take_rest(void *arg, const sl_graded_lab *gl, sl_test *t) {
  harvest *h = arg;
  if (t->r.run) take_test(h, gl, t);
}

// Running ---------------------------------------------------------------------------------------------------

static int secret_file(const sl_secrets *secrets, sl_error *e) {
  int fd = memfd_create("secret", MFD_CLOEXEC);
  if (fd < 0 || write(fd, secrets, sizeof *secrets) != sizeof *secrets)
    sl_fail(e, SL_EXIT_INFRA, NULL, "no memory file: %s", strerror(errno));
  return fd;
}

static bool run_ctest(harvest *h, int secret_fd) {
  sl_child child;
  const int keep[] = {secret_fd, -1};
  char *jobs = sl_path("%d", h->g->course.jobs);
  char *argv[] = {"ctest", "-j", jobs, "--no-tests=ignore", "--output-junit", "junit.xml", NULL};
  bool ok = sl_spawn(&child, argv, NULL, h->dir, keep, SL_STDIO_CAPTURE, h->error);
  if (ok) {
    take_output(h, child.out);
    sl_exit_status end = sl_wait(&child, 0);
    if (end.code != 0 && end.code != 8) // 8: some tests failed
      ok = sl_fail(h->error, SL_EXIT_INFRA, NULL, "ctest ended with %d: %s", end.code, h->said);
  } else if (h->error->code == SL_EXIT_INPUT) {
    h->error->code = SL_EXIT_INFRA;
  }
  free(jobs);
  return ok;
}

static void count_due(void *arg, const sl_graded_lab *gl, sl_test *t) {
  (void)gl, (void)t;
  ++*(size_t *)arg;
}

bool sl__run_tests(sl_grading *g, sl_submission *s, sl_error *e) {
  const char *dir = sl__str(g->arena, "%s/ctest/%s", g->course.out, s->id);
  harvest h = {.g = g, .s = s, .dir = dir, .error = e, .ok = true};
  size_t due = 0;
  each_due(s, count_due, &due);
  if (due == 0) return true;
  if (!sl_mkdirs(sl__str(g->arena, "%s/raw", dir), e)) return false;
  int fd = secret_file(&g->course.secrets, e);
  const char *text = sl__ctest_text(g, s, dir);
  const char *path = sl__str(g->arena, "%s/CTestTestfile.cmake", dir);
  bool ok = !e->code && write_jobs(g, s, dir, fd, e) && sl_write_file(path, text, strlen(text), e);
  sl__progress_start(&h.progress, g->is_class ? s->name : "grading", due, g->course.terminal);
  ok = ok && run_ctest(&h, fd);
  sl__progress_end(&h.progress);
  if (fd >= 0) close(fd);
  if (ok) each_due(s, take_rest, &h);
  return ok && h.ok;
}
