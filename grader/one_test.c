// The body of one CTest test: `sl-test DIR NAME` starts the judge for the test NAME of DIR/jobs.NN.json, the
// tests of its lab NN. It runs once a test, so it links little: its secrets come ready from the grader.
//
// Interface: sl__one_test. It writes nothing to stdout: CTest obeys directives in a test's output, and a
// judge's messages may quote the student's. The judge's output goes to DIR/raw/NAME.log, its end (exit code,
// signal, time) to DIR/raw/NAME.end, but for a test that was judged with others and whose record says enough.
// Exit code: the judge's.
#include "grade.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOG_CAP = 64 << 10 };

static json_t *load_jobs(const char *dir, const char *name, sl_error *e) {
  char *path = sl_path("%s/jobs.%.*s.json", dir, SL_LAB_DIGITS, name);
  char *text = sl_read_file(path, 64 << 20, NULL, e);
  json_t *jobs = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
  if (!jobs) sl_fail(e, SL_EXIT_INFRA, NULL, "%s: not a list of tests", path);
  free(text);
  free(path);
  return jobs;
}

static const char *str(const json_t *job, const char *key) {
  const char *s = json_string_value(json_object_get(job, key));
  return s ? s : "";
}

// The record of a test ("json"), or how it ended ("end"); to be freed.
static char *file_of(const json_t *jobs, const char *test, const char *kind) {
  return sl_path("%s/%s.%s", str(jobs, "raw"), test, kind);
}

static json_t *load_of(const json_t *jobs, const char *test, const char *kind) {
  SL_FREED char *path = file_of(jobs, test, kind);
  return json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
}

// Those of all labs, of which a test looks at its own lab's.
typedef struct ticket_list {
  const sl_ticket *at;
  size_t n;
} ticket_list;

static bool read_tickets(const json_t *jobs, ticket_list *all, sl_error *e) {
  int fd = (int)json_integer_value(json_object_get(jobs, "secret_fd"));
  struct stat st;
  size_t size = fd > 2 && fstat(fd, &st) == 0 ? (size_t)st.st_size : 0;
  void *at = size ? mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
  if (at == MAP_FAILED)
    return sl_fail(e, SL_EXIT_INFRA, "start it through sl-grade", "the secret of the run was not inherited");
  *all = (ticket_list){at, size / sizeof(sl_ticket)};
  return true;
}

static const sl_ticket *ticket_of(const ticket_list *all, const char *test) {
  for (size_t k = 0; k < all->n; k++)
    if (!strcmp(all->at[k].test, test)) return &all->at[k];
  return NULL;
}

// How long tests may take -----------------------------------------------------------------------------------

enum { SLOW_SECONDS = 25 };
// This small program is not linked with reason.c.
static const char *const reason_ids[] = {
#define SL_REASON(name, id, ...) id,
#include "judge/verdicts.def"
};

static bool is_long(const json_t *timed) {
  return json_number_value(json_object_get(timed, "seconds")) > SLOW_SECONDS;
}

static bool is_endless(const json_t *record) {
  int why = 0;
  while (why < SL_REASON_COUNT && strcmp(str(record, "reason"), reason_ids[why]) != 0) why++;
  return sl_reason_is_endless((sl_reason)why);
}

// Did the test of the ticket fail slowly in this run, or its host code compute or wait without end?
static bool was_slow(const json_t *jobs, const sl_ticket *ticket) {
  if (!ticket) return false;
  json_auto_t *end = load_of(jobs, ticket->test, "end");
  if (json_integer_value(json_object_get(end, "code")) != SL_EXIT_FAILED ||
      strcmp(str(end, "nonce"), ticket->nonce) != 0)
    return false;
  if (is_long(end)) return true;
  json_auto_t *record = load_of(jobs, ticket->test, "json");
  return is_endless(record);
}

// Have so many tests of the lab not ended that the others have little time?
static bool is_slow_lab(const json_t *jobs, const ticket_list *all) {
  const char *other;
  json_t *job;
  int slow = 0;
  json_object_foreach(json_object_get(jobs, "tests"), other, job) {
    slow += was_slow(jobs, ticket_of(all, other));
  }
  return slow >= SL_ENDLESS_CASES;
}

static sl_exit_status run_judge(const json_t *jobs, const json_t *job, const sl_ticket *ticket,
                                bool short_time, char **out, sl_error *e) {
  const char *data = json_string_value(json_object_get(jobs, "data"));
  const char *reference = json_string_value(json_object_get(job, "reference"));
  const char *more[7] = {0};
  int n = 0;
  if (data) more[n++] = "--data", more[n++] = data;
  if (reference) more[n++] = "--reference", more[n++] = reference;
  SL_FREED char *seconds = sl_path("%d", SL_SHORT_SECONDS);
  SL_FREED char *record = file_of(jobs, ticket->test, "json");
  if (short_time) more[n++] = "--timeout", more[n++] = seconds;
  const char *argv[] = {str(jobs, "judge"),
                        "--lab",
                        str(jobs, "lab"),
                        "--case",
                        str(job, "case"),
                        "--runner",
                        str(jobs, "runner"),
                        "--backend",
                        str(job, "backend"),
                        "--record",
                        record,
                        "--nonce",
                        ticket->nonce,
                        "--salt",
                        ticket->salt,
                        more[0],
                        more[1],
                        more[2],
                        more[3],
                        more[4],
                        more[5],
                        NULL};
  const double limit = json_number_value(json_object_get(job, "limit"));
  return sl_run_by_work((char *const *)argv, NULL, limit, LOG_CAP, out, e);
}

static bool write_end(const json_t *jobs, const sl_ticket *ticket, sl_exit_status end, double seconds,
                      sl_error *e) {
  const bool late = end.busy || end.idle; // by the clock alone it is the machine's fault: ended by a signal
  char *text =
      sl_path("{\"nonce\": \"%s\", \"code\": %d, \"signal\": %d, \"timed_out\": %s, \"seconds\": %.3f}\n",
              ticket->nonce, end.code, end.signal, late ? "true" : "false", seconds);
  SL_FREED char *path = file_of(jobs, ticket->test, "end");
  bool ok = sl_write_passing(path, text, strlen(text), e);
  free(text);
  return ok;
}

// Together --------------------------------------------------------------------------------------------------

// The names of the lab's tests that are judged together on the device of [job].
static const json_t *beside(const json_t *jobs, const json_t *job) {
  return json_object_get(json_object_get(jobs, "together"), str(job, "backend"));
}

// The record of a test of this run, to be freed; NULL: there is none.
static json_t *record_of(const json_t *jobs, const ticket_list *all, const char *test) {
  const json_t *job = json_object_get(json_object_get(jobs, "tests"), test);
  const sl_ticket *ticket = ticket_of(all, test);
  json_t *record = job && ticket ? load_of(jobs, test, "json") : NULL;
  if (record && !strcmp(str(record, "nonce"), ticket->nonce)) return record;
  json_decref(record);
  return NULL;
}

// The record of the first test on the simulated GPU that spares a real one this test: one that failed without
// points. The case has none then, or its speed does not count, and a kernel without end would hold the GPU
// until its time is over. To be freed; NULL: none, it runs.
static json_t *spared_by(const json_t *jobs, const json_t *job, const ticket_list *all) {
  const json_t *name;
  size_t i;
  json_array_foreach(json_object_get(job, "spared_by"), i, name) {
    json_t *sim = record_of(jobs, all, json_string_value(name));
    if (!strcmp(str(sim, "status"), "fail") && json_number_value(json_object_get(sim, "points")) <= 0)
      return sim;
    json_decref(sim);
  }
  return NULL;
}

// The record of the third test of the lab that did not end on the real GPU: the lab's others are not tried
// there, as each could hold it for as long. To be freed; NULL: there are fewer.
static json_t *hung_by(const json_t *jobs, const json_t *job, const ticket_list *all) {
  const char *name;
  json_t *other;
  int hung = 0;
  if (strcmp(str(job, "backend"), "gpu") != 0) return NULL;
  json_object_foreach(json_object_get(jobs, "tests"), name, other) {
    json_t *record = strcmp(str(other, "backend"), "gpu") ? NULL : record_of(jobs, all, name);
    if (is_endless(record) && ++hung == SL_ENDLESS_CASES) return record;
    json_decref(record);
  }
  return NULL;
}

static bool is_spared(const json_t *jobs, const json_t *job, const ticket_list *all) {
  json_auto_t *by = spared_by(jobs, job, all);
  return by != NULL;
}

// Writes its record in place of the judge's.
static bool write_spared(const json_t *jobs, const json_t *by, const json_t *job, const sl_ticket *ticket,
                         sl_error *e) {
  const char *part = str(job, "case"), *dot = strchr(part, '.');
  SL_FREED char *message = sl_path("not run on the real GPU, because %s failed", str(by, "test"));
  json_auto_t *record =
      json_pack("{s:s, s:s, s:s%, s:s, s:s, s:s, s:s, s:s, s:{s:s}, s:i, s:i, s:s}", "test", ticket->test,
                "lab", str(by, "lab"), "part", part, dot ? (size_t)(dot - part) : 0, "case",
                dot ? dot + 1 : "", "backend", str(job, "backend"), "nonce", ticket->nonce, "status", "fail",
                "reason", reason_ids[SL_REASON_GRADE_SPARED], "fields", "test", str(by, "test"), "points", 0,
                "seconds", 0, "message", message);
  SL_FREED char *text = json_dumps(record, 0);
  SL_FREED char *path = file_of(jobs, ticket->test, "json");
  return text && sl_write_passing(path, text, strlen(text), e);
}

// A list of cases for sl-judge --many, in an unnamed memory file: nobody reads its secrets from a command
// line.
static int list_file(const json_t *jobs, const json_t *of, const ticket_list *all) {
  json_t *list = json_array(), *name;
  size_t i;
  json_array_foreach(beside(jobs, of), i, name) {
    const sl_ticket *t = ticket_of(all, json_string_value(name));
    const json_t *job = json_object_get(json_object_get(jobs, "tests"), json_string_value(name));
    if (!t || is_spared(jobs, job, all)) continue;
    SL_FREED char *record = file_of(jobs, t->test, "json");
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "case", str(job, "case"), "record", record,
                                          "nonce", t->nonce, "salt", t->salt));
  }
  SL_FREED char *text = json_dumps(list, 0); // json_dumpfd would write each word by a call of its own
  const size_t len = text ? strlen(text) : 0;
  int fd = memfd_create("cases", MFD_CLOEXEC);
  if (fd >= 0 && (!len || write(fd, text, len) != (ssize_t)len || lseek(fd, 0, SEEK_SET) != 0))
    close(fd), fd = -1;
  json_decref(list);
  return fd;
}

// The first of these tests of a lab judges them all, in as few processes of the student's as they need. A
// test that gets no record this way is judged when its turn comes.
static void judge_together(const json_t *jobs, const json_t *job, const ticket_list *all) {
  const char *data = json_string_value(json_object_get(jobs, "data"));
  const char *argv[] = {str(jobs, "judge"),
                        "--many",
                        "--lab",
                        str(jobs, "lab"),
                        "--runner",
                        str(jobs, "runner"),
                        "--backend",
                        str(job, "backend"),
                        data ? "--data" : NULL,
                        data,
                        NULL};
  sl_child judge;
  sl_error e = {0};
  int list = list_file(jobs, job, all), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (list >= 0 && sl_spawn(&judge, (char *const *)argv, NULL, NULL, NULL, (sl_stdio){list, nowhere}, &e))
    sl_wait(&judge, SL_TOGETHER_SECONDS);
  if (list >= 0) close(list);
  if (nowhere >= 0) close(nowhere);
}

// The exit code of a test that was judged with others; its record is of this run. -1: it was not. *[enough]:
// no other test asks how it ended (was_slow).
static int judged_so(const json_t *jobs, const sl_ticket *ticket, bool *enough) {
  json_t *record = load_of(jobs, ticket->test, "json");
  bool ours = !strcmp(str(record, "nonce"), ticket->nonce), pass = !strcmp(str(record, "status"), "pass");
  int code = ours && pass ? SL_EXIT_OK : ours && !strcmp(str(record, "status"), "fail") ? SL_EXIT_FAILED : -1;
  *enough = code >= 0 && !is_long(record) && !is_endless(record);
  json_decref(record);
  return code;
}

// *first: does this test start the judge of all of them?
static bool is_together(const json_t *jobs, const json_t *job, const char *name, bool *first) {
  const json_t *all = beside(jobs, job);
  size_t i;
  json_t *one;
  json_array_foreach(all, i, one) {
    *first = i == 0 && json_array_size(all) > 1;
    if (!strcmp(json_string_value(one), name)) return true;
  }
  return *first = false;
}

// The test --------------------------------------------------------------------------------------------------

static double points_of(const json_t *record) { return json_number_value(json_object_get(record, "points")); }

// Can a real GPU have spoilt the test? There is no verdict, or a timed one has lost a few of its points:
// equal programs, too, can be a tenth slower in one process than in another.
static bool may_be_spoilt(const json_t *jobs, const json_t *job, const ticket_list *all,
                          const sl_ticket *ticket, sl_exit_status end) {
  const double few = 0.75;
  if (strcmp(str(job, "backend"), "gpu") != 0) return false;
  if (end.code == SL_EXIT_INFRA) return true;
  if (!*str(job, "reference") || end.code != SL_EXIT_FAILED) return false;
  json_auto_t *record = record_of(jobs, all, ticket->test);
  return points_of(record) >= few * json_number_value(json_object_get(record, "max"));
}

// Judges the test in new processes. The better record stays; a verdict is better than none.
static sl_exit_status judge_again(const json_t *jobs, const json_t *job, const ticket_list *all,
                                  const sl_ticket *ticket, bool short_time, sl_exit_status end, char **out,
                                  sl_error *e) {
  json_auto_t *first = record_of(jobs, all, ticket->test);
  char *second_out = NULL;
  const sl_exit_status second = run_judge(jobs, job, ticket, short_time, &second_out, e);
  json_auto_t *record = record_of(jobs, all, ticket->test);
  const bool worse = first && end.code != SL_EXIT_INFRA &&
                     (second.code == SL_EXIT_INFRA || points_of(first) > points_of(record));
  SL_FREED char *text = worse ? json_dumps(first, 0) : NULL;
  SL_FREED char *path = file_of(jobs, ticket->test, "json");
  if (text && sl_write_passing(path, text, strlen(text), e)) return free(second_out), end;
  free(*out), *out = second_out;
  return second;
}

static int run_job(const json_t *jobs, const json_t *job, const char *dir, const ticket_list *all,
                   const sl_ticket *ticket, sl_error *e) {
  char *out = NULL;
  double start = sl_now();
  bool first = false, enough = false, together = is_together(jobs, job, ticket->test, &first);
  sl_exit_status end = {0};
  sl__use_gpu();
  if (first) judge_together(jobs, job, all);
  end.code = together ? judged_so(jobs, ticket, &enough) : -1;
  json_auto_t *by = end.code >= 0 ? NULL : spared_by(jobs, job, all);
  if (end.code < 0 && !by) by = hung_by(jobs, job, all);
  if (by && write_spared(jobs, by, job, ticket, e)) end.code = judged_so(jobs, ticket, &enough);
  if (enough) return end.code;
  const bool short_time = is_slow_lab(jobs, all);
  if (end.code < 0) {
    end = run_judge(jobs, job, ticket, short_time, &out, e);
    if (may_be_spoilt(jobs, job, all, ticket, end) && !e->code)
      end = judge_again(jobs, job, all, ticket, short_time, end, &out, e);
  }
  if (e->code) end.code = SL_EXIT_INFRA;
  char *log = sl_path("%s/raw/%s.log", dir, ticket->test);
  if (e->code) sl_write_passing(log, e->text, strlen(e->text), NULL);
  else if (out) sl_write_passing(log, out, strlen(out), NULL);
  sl_error late = {0};
  bool ok = write_end(jobs, ticket, end, sl_now() - start, &late);
  free(log);
  free(out);
  return !ok ? late.code : end.code >= 0 ? end.code : SL_EXIT_INFRA;
}

static int run_named(const json_t *jobs, const char *dir, const char *name, sl_error *e) {
  const json_t *job = json_object_get(json_object_get(jobs, "tests"), name);
  ticket_list all = {0};
  int code = 0;
  if (job && !read_tickets(jobs, &all, e)) return e->code;
  const sl_ticket *ticket = ticket_of(&all, name);
  if (ticket) code = run_job(jobs, job, dir, &all, ticket, e);
  else sl_fail(e, SL_EXIT_INPUT, NULL, "%s: no test of this name in %s", name, dir);
  if (all.n) munmap((void *)all.at, all.n * sizeof *all.at);
  return code;
}

int sl__one_test(const char *dir, const char *name) {
  prctl(PR_SET_DUMPABLE, 0); // a student's process cannot read the secret in this one
  // ends when the grader is killed: its record would land in the next grading
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == 1) return SL_EXIT_INFRA;
  sl_error e = {0};
  json_t *jobs = load_jobs(dir, name, &e);
  int code = jobs ? run_named(jobs, dir, name, &e) : 0;
  json_decref(jobs);
  if (e.code) sl_error_print("sl-test", &e);
  return e.code ? e.code : code;
}
