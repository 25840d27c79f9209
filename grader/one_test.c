// The body of one CTest test: `sl-test DIR NAME` starts the judge for the test NAME of DIR/jobs.NN.json, the
// tests of its lab NN. It runs once a test, so it links little: its secrets come ready from the grader.
//
// Interface: sl__one_test. It writes nothing to stdout: CTest obeys directives in a test's output, and a
// judge's messages may quote the student's. The judge's output goes to DIR/raw/NAME.log, its end (exit code,
// signal, time) to DIR/raw/NAME.end, but for a test that was judged with others and whose record says enough.
// Exit code: the judge's.
#include "one_test.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>

enum { LOG_CAP = 64 << 10 };

static json_t *load_jobs(const char *dir, const char *name, sl_error *e) {
  SL_FREED char *path = sl_path("%s/jobs.%.*s.json", dir, SL_LAB_DIGITS, name);
  return sl_json_read(path, 64 << 20, e);
}

static bool read_tickets(const json_t *jobs, sl_tickets *all, sl_error *e) {
  int fd = (int)json_integer_value(json_object_get(jobs, "secret_fd"));
  struct stat st;
  size_t size = fd > 2 && fstat(fd, &st) == 0 ? (size_t)st.st_size : 0;
  void *at = size ? mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
  if (at == MAP_FAILED)
    return sl_fail(e, SL_EXIT_INFRA, "start it through sl-grade", "the secret of the run was not inherited");
  *all = (sl_tickets){at, size / sizeof(sl_ticket)};
  return true;
}

// The judge -------------------------------------------------------------------------------------------------

// A run of the judge: how it ended, what it printed.
typedef struct run {
  sl_exit_status end;
  char *out;
} run;

// [value] NULL: leaves it out.
static void add_option(sl_judge_words *w, const char *option, const char *value) {
  if (value) w->at[w->n++] = option, w->at[w->n++] = value;
}

sl_judge_words sl__judge_words(const sl_one_test *t) {
  sl_judge_words w = {.at = {sl_json_text(t->jobs, "judge")}, .n = 1};
  add_option(&w, "--lab", sl_json_text(t->jobs, "lab"));
  add_option(&w, "--runner", sl_json_text(t->jobs, "runner"));
  add_option(&w, "--backend", sl_json_text(t->job, "backend"));
  add_option(&w, "--data", json_string_value(json_object_get(t->jobs, "data")));
  return w;
}

static run run_judge(const sl_one_test *t, bool short_time, sl_error *e) {
  SL_FREED char *seconds = short_time ? sl_path("%d", SL_SHORT_SECONDS) : NULL;
  SL_FREED char *record = sl__job_file(t, t->ticket->test, "json");
  sl_judge_words w = sl__judge_words(t);
  add_option(&w, "--case", sl_json_text(t->job, "case"));
  add_option(&w, "--record", record);
  add_option(&w, "--nonce", t->ticket->nonce);
  add_option(&w, "--salt", t->ticket->salt);
  add_option(&w, "--reference", json_string_value(json_object_get(t->job, "reference")));
  add_option(&w, "--timeout", seconds);
  const double limit = json_number_value(json_object_get(t->job, "limit"));
  run r = {0};
  r.end = sl_run_by_work((char *const *)w.at, NULL, limit, LOG_CAP, &r.out, e);
  return r;
}

static double points_of(const json_t *record) { return json_number_value(json_object_get(record, "points")); }

// Can a real GPU have spoilt the test? There is no verdict, or a timed one has lost a few of its points:
// equal programs, too, can be a tenth slower in one process than in another.
static bool may_be_spoilt(const sl_one_test *t, sl_exit_status end) {
  const double few = 0.75;
  if (strcmp(sl_json_text(t->job, "backend"), "gpu") != 0) return false;
  if (end.code == SL_EXIT_INFRA) return true;
  if (!*sl_json_text(t->job, "reference") || end.code != SL_EXIT_FAILED) return false;
  json_auto_t *record = sl__job_record(t, t->ticket->test);
  return points_of(record) >= few * json_number_value(json_object_get(record, "max"));
}

// Judges the test in new processes. The better record stays; a verdict is better than none.
static run judge_again(const sl_one_test *t, bool short_time, run first, sl_error *e) {
  json_auto_t *before = sl__job_record(t, t->ticket->test);
  run second = run_judge(t, short_time, e);
  json_auto_t *record = sl__job_record(t, t->ticket->test);
  const bool worse = before && first.end.code != SL_EXIT_INFRA &&
                     (second.end.code == SL_EXIT_INFRA || points_of(before) > points_of(record));
  SL_FREED char *text = worse ? json_dumps(before, 0) : NULL;
  SL_FREED char *path = sl__job_file(t, t->ticket->test, "json");
  const bool keep = text && sl_write_passing(path, text, strlen(text), e);
  free(keep ? second.out : first.out);
  return keep ? first : second;
}

// The test --------------------------------------------------------------------------------------------------

static bool write_end(const sl_one_test *t, sl_exit_status end, double seconds, sl_error *e) {
  const bool late = end.busy || end.idle; // by the clock alone it is the machine's fault: ended by a signal
  SL_FREED char *text =
      sl_path("{\"nonce\": \"%s\", \"code\": %d, \"signal\": %d, \"timed_out\": %s, \"seconds\": %.3f}\n",
              t->ticket->nonce, end.code, end.signal, late ? "true" : "false", seconds);
  SL_FREED char *path = sl__job_file(t, t->ticket->test, "end");
  return sl_write_passing(path, text, strlen(text), e);
}

// The exit code of a test that was judged with others; its record is of this run. -1: it was not. *[enough]:
// no other test asks how it ended (sl__is_slow_lab).
static int judged_so(const sl_one_test *t, bool *enough) {
  json_auto_t *record = sl__job_record(t, t->ticket->test);
  const char *status = sl_json_text(record, "status");
  int code = !strcmp(status, "pass") ? SL_EXIT_OK : !strcmp(status, "fail") ? SL_EXIT_FAILED : -1;
  *enough = code >= 0 && !sl__is_long(record) && !sl__is_endless(record);
  return code;
}

static void write_log(const sl_one_test *t, const char *out, const sl_error *e) {
  SL_FREED char *log = sl_path("%s/raw/%s.log", t->dir, t->ticket->test);
  const char *text = e->code ? e->text : out;
  if (text) sl_write_passing(log, text, strlen(text), NULL);
}

static int run_job(const sl_one_test *t, sl_error *e) {
  double start = sl_now();
  bool first = false, enough = false, together = sl__is_together(t, &first);
  run r = {0};
  sl__use_gpu();
  if (first) sl__judge_together(t);
  r.end.code = together ? judged_so(t, &enough) : -1;
  json_auto_t *by = r.end.code >= 0 ? NULL : sl__spared_by(t, t->job);
  if (r.end.code < 0 && !by) by = sl__hung_by(t);
  if (by && sl__write_spared(t, by, e)) r.end.code = judged_so(t, &enough);
  if (enough) return r.end.code;
  if (r.end.code < 0) {
    const bool short_time = sl__is_slow_lab(t);
    r = run_judge(t, short_time, e);
    if (may_be_spoilt(t, r.end) && !e->code) r = judge_again(t, short_time, r, e);
  }
  if (e->code) r.end.code = SL_EXIT_INFRA;
  write_log(t, r.out, e);
  free(r.out);
  sl_error late = {0};
  if (!write_end(t, r.end, sl_now() - start, &late)) return late.code;
  return r.end.code >= 0 ? r.end.code : SL_EXIT_INFRA;
}

static int run_named(const json_t *jobs, const char *dir, const char *name, sl_error *e) {
  sl_one_test t = {.dir = dir, .jobs = jobs, .job = json_object_get(json_object_get(jobs, "tests"), name)};
  int code = 0;
  if (t.job && !read_tickets(jobs, &t.all, e)) return e->code;
  t.ticket = sl__job_ticket(&t, name);
  if (t.ticket) code = run_job(&t, e);
  else sl_fail(e, SL_EXIT_INPUT, NULL, "%s: no test of this name in %s", name, dir);
  if (t.all.n) munmap((void *)t.all.at, t.all.n * sizeof *t.all.at);
  return code;
}

int sl__one_test(const char *dir, const char *name) {
  prctl(PR_SET_DUMPABLE, 0); // a student's process cannot read the secret in this one
  // ends when the grader is killed: its record would land in the next grading
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == 1) return SL_EXIT_INFRA;
  sl_error e = {0};
  json_auto_t *jobs = load_jobs(dir, name, &e);
  int code = jobs ? run_named(jobs, dir, name, &e) : 0;
  if (e.code) sl_error_print("sl-test", &e);
  return e.code ? e.code : code;
}
