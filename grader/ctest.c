// Writes the CTest folder of a submission.
//
// Interface: sl__ctest_text, sl__write_ctest, sl__work_due. OUT/ctest/SUBMISSION gets CTestTestfile.cmake
// (one add_test a graded test) and jobs.NN.json (what each test of a lab runs, read by one_test.c);
// harvest.c runs ctest there. Tests are due that have to run: their kernel was built, and no earlier result
// holds.
#include "grade.h"

// Seconds that the judge may take beyond the case's own limit, and ctest beyond the judge's.
enum { JUDGE_MARGIN = 60, CTEST_MARGIN = 30 };

void sl__nonce(const unsigned char secret[32], const char *test, char out[SL_HEX256]) {
  sl__hmac(secret, test, out);
}

void sl__ticket(const sl_secrets *secrets, const char *test, sl_ticket *out) {
  char salt[SL_HEX256];
  *out = (sl_ticket){0};
  snprintf(out->test, sizeof out->test, "%s", test);
  sl__nonce(secrets->run, test, out->nonce);
  sl__nonce(secrets->inputs, test, salt);
  memcpy(out->salt, salt, SL_SALT_DIGITS);
}

static bool is_due(const sl_graded_lab *gl, const sl_test *t) { return !gl->problem && !t->r.reused; }

void sl__each_due(const sl_submission *s, void (*fn)(void *, const sl_graded_lab *, sl_test *), void *arg) {
  SL_EACH_LAB(s, gl)
    SL_EACH_RUN(gl, t)
      if (is_due(gl, t)) fn(arg, gl, t);
}

// CTestTestfile.cmake ---------------------------------------------------------------------------------------

enum { BACKENDS = 2 };
static const char *const backends[BACKENDS] = {"sim", "gpu"};

typedef struct writer {
  const sl_grading *g;
  FILE *f;
  const char *program, *dir;
  const sl_graded_lab *lab;        // the last test's
  const sl_test *leader[BACKENDS]; // on each, the one that starts the lab's tests that are judged together
  size_t n_shared[BACKENDS];       // how many these are
} writer;

// Estimates the work of a case. CTest starts the largest first.
static double elements(const sl_case *c) {
  if (c->visibility != SL_PUBLIC) return 1 << 20; // students may see the file, and no size in it
  double sum = c->n == SL_WHOLE ? 1 << 20 : (double)c->n * c->calls;
  for (unsigned i = 0; i < c->n_also; i++) sum += (double)c->also[i] * sl_case_times(c, i);
  return sum;
}

static void add_elements(void *sum, const sl_graded_lab *, sl_test *t) {
  enum { ITS_START = 1 << 14 }; // its processes cost as much
  *(double *)sum += ITS_START + elements(t->c);
}

double sl__work_due(const sl_submission *s) {
  double sum = 0;
  sl__each_due(s, add_elements, &sum);
  return sum;
}

// Timed tests run alone.
static bool is_timed(const sl_test *t) { return t->c->part->kind == SL_PART_SPEED && sl__is_on_gpu(t); }

// The due tests of a lab that one sl-judge judges together on a device (one_test.c): results and counters.
// What is clean in a process that has run before may not be so from its start, so parts of kind clean have
// processes of their own. On the simulated GPU large cases stay apart, so that all cores have work.
static bool is_shared(const sl_graded_lab *gl, const sl_test *t) {
  enum { SMALL = 1 << 17 };
  const sl_part_kind kind = t->c->part->kind;
  if (!is_due(gl, t) || (kind != SL_PART_CORRECT && kind != SL_PART_COUNTERS)) return false;
  return sl__is_on_gpu(t) || elements(t->c) <= SMALL;
}

// Sorts by the size of the first call, the largest first: the judge notices a process that is wrong at once.
static int by_size(const void *a, const void *b) {
  const sl_test *x = *(const sl_test *const *)a, *y = *(const sl_test *const *)b;
  if (x->c->n != y->c->n) return x->c->n < y->c->n ? 1 : -1;
  return x < y ? -1 : 1;
}

// The tests that are judged together on a backend; the first one starts the judge. *n: how many.
static const sl_test **shared(const sl_grading *g, const sl_graded_lab *gl, int backend, size_t *n) {
  const sl_test **all = sl__alloc(g->arena, (gl->n_run + 1) * sizeof(sl_test *));
  *n = 0;
  SL_EACH_RUN(gl, t)
    if (sl__is_on_gpu(t) == backend && is_shared(gl, t)) all[(*n)++] = t;
  qsort(all, *n, sizeof *all, by_size);
  return all;
}

static void write_gpu(const writer *w, const sl_test *t) {
  if (!sl__is_on_gpu(t)) return;
  fprintf(w->f, " RESOURCE_GROUPS \"gpus:%d\"", is_timed(t) ? SL_GPU_SLOTS : 1);
  if (is_timed(t)) fprintf(w->f, " RUN_SERIAL TRUE");
}

static void find_leaders(writer *w, const sl_graded_lab *gl) {
  if (w->lab == gl) return;
  for (int b = 0; b < BACKENDS; b++) w->leader[b] = *shared(w->g, gl, b, &w->n_shared[b]);
  w->lab = gl;
}

// May the simulated case of [by] spare a real GPU the test [t] (one_test.c)? A timed test's any.
static bool is_spared_by(const sl_test *t, const sl_test *by) {
  return by->simulated && sl__is_on_gpu(t) && (t == by || is_timed(t));
}

// Such a test comes behind those. The one that starts others on a real GPU waits for the small cases alone: a
// kernel that never ends is seen there, and the GPU need not wait for the large ones.
static void write_depends(const writer *w, const sl_graded_lab *gl, const sl_test *t, const sl_test *leader) {
  const sl_test *simulated = w->leader[0],
                *before = leader && t == leader && t != simulated ? simulated : leader;
  const char *begin = " DEPENDS \"";
  if (before && before != t) fprintf(w->f, "%s%s", begin, before->name), begin = ";";
  for (size_t k = 0; k < gl->n_tests && t != leader; k++)
    if (is_spared_by(t, &gl->tests[k]))
      fprintf(w->f, "%s%s", begin, gl->tests[k].simulated->name), begin = ";";
  if (*begin == ';') fprintf(w->f, "\"");
}

// The seconds that the test's judge may compute or wait. On a busy machine the clock shows more.
static double judge_seconds(const sl_test *t) { return t->c->timeout * sl_case_rounds(t->c) + JUDGE_MARGIN; }

static void write_test(void *arg, const sl_graded_lab *gl, sl_test *t) {
  writer *w = arg;
  const char *name = sl__cmake_arg(w->g->arena, t->name);
  find_leaders(w, gl);
  const sl_test *leader = is_shared(gl, t) ? w->leader[sl__is_on_gpu(t)] : NULL;
  double seconds = SL_CLOCK_TIMES * judge_seconds(t) + CTEST_MARGIN;
  if (sl__is_on_gpu(t)) seconds *= 2; // it may be judged once more
  if (t == leader) seconds += SL_TOGETHER_SECONDS;
  fprintf(w->f, "add_test(%s %s %s %s)\n", name, sl__cmake_arg(w->g->arena, w->program),
          sl__cmake_arg(w->g->arena, w->dir), name);
  fprintf(w->f, "set_tests_properties(%s PROPERTIES\n  LABELS \"%s;%s;%s;%s\" TIMEOUT %.0f COST %.0f", name,
          gl->lab->info->number, t->c->part->id, sl_part_kind_names[t->c->part->kind], t->backend, seconds,
          t == leader ? elements(t->c) * (double)w->n_shared[sl__is_on_gpu(t)] : elements(t->c));
  write_depends(w, gl, t, leader);
  write_gpu(w, t);
  fprintf(w->f, ")\n");
}

char *sl__ctest_text(sl_grading *g, const sl_submission *s, const char *dir) {
  SL_FREED char *text = NULL;
  writer w = {.g = g, .f = sl_text_stream(&text), .program = g->course.test, .dir = dir};
  fprintf(w.f, "# Written by sl-grade for one grading.\n");
  sl__each_due(s, write_test, &w);
  fclose(w.f);
  return sl__str(g->arena, "%s", text);
}

// jobs.NN.json ----------------------------------------------------------------------------------------------

static json_t *spared_by(const sl_graded_lab *gl, const sl_test *t) {
  json_t *names = json_array();
  SL_EACH_TEST(gl, test)
    if (is_spared_by(t, test)) json_array_append_new(names, json_string(test->simulated->name));
  return names;
}

static void forget_files(const sl_test *t, const char *dir) {
  static const char *const kinds[] = {"json", "end", "log"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    SL_FREED char *path = sl_path("%s/raw/%s.%s", dir, t->name, kinds[k]);
    unlink(path);
  }
}

// Every test of the lab reads all of them, so what all have alike stands once (write_jobs).
static json_t *job_of(const sl_graded_lab *gl, sl_test *t) {
  SL_FREED char *which = sl_path("%s.%s", t->c->part->id, t->c->id);
  t->r.run = true;
  json_t *job = json_pack("{s:s, s:s, s:f}", "case", which, "backend", t->backend, "limit", judge_seconds(t)),
         *spared = spared_by(gl, t);
  if (is_timed(t)) json_object_set_new(job, "reference", json_string(gl->reference));
  if (json_array_size(spared)) json_object_set(job, "spared_by", spared);
  json_decref(spared);
  return job;
}

// The names of the tests that are judged together, a list a backend.
static json_t *together_of(const sl_grading *g, const sl_graded_lab *gl) {
  json_t *together = json_object();
  for (int b = 0; b < BACKENDS; b++) {
    json_t *names = json_array();
    size_t n;
    const sl_test **all = shared(g, gl, b, &n);
    for (size_t k = 0; k < n; k++) json_array_append_new(names, json_string(all[k]->name));
    json_object_set_new(together, backends[b], names);
  }
  return together;
}

static bool write_jobs(sl_grading *g, const sl_graded_lab *gl, const char *dir, int secret_fd, sl_error *e) {
  json_t *tests = json_object();
  SL_FREED char *raw = sl_path("%s/raw", dir);
  SL_EACH_RUN(gl, t)
    if (is_due(gl, t)) {
      forget_files(t, dir);
      json_object_set_new(tests, t->name, job_of(gl, t));
    }
  json_t *all = json_pack("{s:s, s:s?, s:i, s:s, s:s?, s:s?, s:o, s:o}", "judge", g->course.judge, "data",
                          g->course.data, "secret_fd", secret_fd, "raw", raw, "lab", gl->json, "runner",
                          gl->runner, "tests", tests, "together", together_of(g, gl));
  SL_FREED char *path = sl_path("%s/jobs.%s.json", dir, gl->lab->info->number);
  return sl_json_write(sl_write_passing, path, all, JSON_INDENT(1), e);
}

bool sl__write_ctest(sl_grading *g, const sl_submission *s, const char *dir, int secret_fd, sl_error *e) {
  if (!sl_mkdirs(sl__str(g->arena, "%s/raw", dir), e)) return false;
  const char *text = sl__ctest_text(g, s, dir), *path = sl__str(g->arena, "%s/CTestTestfile.cmake", dir);
  SL_EACH_LAB(s, gl)
    if (!write_jobs(g, gl, dir, secret_fd, e)) return false;
  return sl_write_passing(path, text, strlen(text), e);
}
