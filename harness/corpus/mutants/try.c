// Tries one mutant after the other: builds it and judges the cases of its lab until one takes a point.
//
// Interface: trials_begin, trials_of, trials_end. The solution is judged first. It says how much processor
// time a case needs; a mutant that takes TIMES as much computes without end, and has lost that case. A
// mutant that no case notices has run all of them. What has ended is kept in a file, a line each, so that the
// next run begins where this one was stopped.
#include "mutants.h"
#include "base/sha256.h"
#include "compile/build.h"
#include "judge/judge.h"

#include <pthread.h>

// So many times the solution's processor time, and at least so many seconds: 0.1 s may be short by chance.
enum { TIMES = 20, LEAST_SECONDS = 4 };
static const char salt[] = "5ca1ab1e0ddba115"; // seeds of inputs: as in grading, not those that lab.json has

typedef struct trial {
  char name[2 * SL_ID_CHARS]; // PART.CASE
  double seconds;             // processor time that the solution takes
  unsigned kills;
} trial;

struct trials {
  const sl_lab_info *info;
  sl_lab *lab;
  char *description, *folder, *kept, *solution;
  char key[65]; // names the lab and the programs that judge it
  trial *at;
  size_t n;
  FILE *log;
  pthread_mutex_t lock;
  bool measured;
  sl_error fault; // why the solution could not be measured
};

// What is kept ----------------------------------------------------------------------------------------------

static bool hash_file(struct sha256_ctx *md, const char *path, sl_error *e) {
  size_t len;
  SL_FREED char *data = sl_read_file(path, (size_t)1 << 28, &len, e);
  if (data) sl_sha256_add(md, data, len);
  return data != NULL;
}

// Hashes what the result of every mutant of the lab depends on, besides its text.
static bool hash_course(trials *t, sl_error *e) {
  static const char *const programs[] = {"sl-judge", "sl-jail", "sl-gpu", "../lib/libcudart.so.13", NULL};
  SL_FREED char *runner = sl_path("../lib/sl_runner_%s.o", t->info->number), *object = sl_tool_path(runner);
  struct sha256_ctx md;
  sha256_init(&md);
  bool ok = hash_file(&md, t->description, e) && hash_file(&md, t->solution, e) && hash_file(&md, object, e);
  for (int k = 0; ok && programs[k]; k++) {
    SL_FREED char *path = sl_tool_path(programs[k]);
    ok = hash_file(&md, path, e);
  }
  sl_sha256_end(&md, t->key);
  return ok;
}

static void key_of(const trials *t, const char *text, char out[static 65]) {
  struct sha256_ctx md;
  sha256_init(&md);
  sl_sha256_add(&md, t->key, sizeof t->key);
  sl_sha256_add(&md, text, strlen(text));
  sl_sha256_end(&md, out);
}

// Has a mutant with this key ended before? A line is KEY, outcome, what took the point.
static bool recall(const trials *t, const char *key, attempt *a) {
  const char *line = t->kept ? strstr(t->kept, key) : NULL;
  char *by = NULL;
  const long number = line ? strtol(line + strlen(key), &by, 10) : FAILED;
  if (number < 0 || number >= FAILED || *by != '\t' || !strchr(by, '\n')) return false;
  a->what = (outcome)number;
  snprintf(a->by, sizeof a->by, "%.*s", (int)strcspn(by + 1, "\n"), by + 1);
  return true;
}

static void keep(trials *t, const char *key, const attempt *a) {
  if (a->what == FAILED) return;
  pthread_mutex_lock(&t->lock);
  fprintf(t->log, "%s\t%d\t%s\n", key, (int)a->what, a->by);
  fflush(t->log);
  pthread_mutex_unlock(&t->lock);
}

// One case --------------------------------------------------------------------------------------------------

typedef struct judged {
  double seconds; // processor time; 0: it was stopped
  double lost;    // points
  char why[200];  // the reason of a failure, or why there is no verdict
  bool known;     // there is a verdict
} judged;

static judged read_record(const char *path) {
  judged j = {0};
  double points = 0, max = 0;
  const char *status = "", *reason = "";
  json_auto_t *record = json_load_file(path, 0, NULL);
  if (json_unpack(record, "{s:s, s:s, s:F, s:F, s:F}", "status", &status, "reason", &reason, "points",
                  &points, "max", &max, "processor_seconds", &j.seconds) == 0)
    j.lost = max - points;
  j.known = !strcmp(status, "pass") || !strcmp(status, "fail");
  snprintf(j.why, sizeof j.why, "%s", reason);
  return j;
}

// Judges case [k] with [runner] in at most [most] seconds of processor time (0: what the case has).
static judged judge_case(const trials *t, size_t k, const char *runner, const char *folder, double most) {
  SL_FREED char *judge = sl_tool_path("sl-judge"), *record = sl_path("%s/record.json", folder), *said = NULL;
  char *const *argv = SL_ARGV(judge, "--lab", t->description, "--case", t->at[k].name, "--runner", runner,
                              "--salt", salt, "--record", record);
  sl_error e = {0};
  remove(record);
  const sl_exit_status how = sl_run_within(argv, NULL, &(sl_limits){.busy = most}, 4096, &said, &e);
  judged j = {0};
  if (how.busy) {
    j = (judged){.known = true, .lost = 1};
    snprintf(j.why, sizeof j.why, "%.0f s of processor time, where the solution takes %.2f", how.cpu,
             t->at[k].seconds);
  } else if (how.code == SL_EXIT_OK || how.code == SL_EXIT_FAILED) j = read_record(record);
  if (!j.known && !j.why[0]) snprintf(j.why, sizeof j.why, "%.150s", e.code ? e.text : said ? said : "");
  j.why[strcspn(j.why, "\t\n")] = 0;
  remove(record);
  return j;
}

// The solution ----------------------------------------------------------------------------------------------

// Judges the solution, for its processor time.
static bool measure(trials *t, sl_error *e) {
  SL_FREED char *runner = NULL, *log = NULL;
  if (!sl_build_runner(t->info->number, t->solution, NULL, &runner, &log, e)) return false;
  for (size_t k = 0; k < t->n; k++) {
    const judged j = judge_case(t, k, runner, t->folder, 0);
    if (!j.known || j.lost > 0)
      return sl_fail(e, SL_EXIT_INFRA, NULL, "%s: %s: the solution itself loses: %s", t->solution,
                     t->at[k].name, j.why);
    t->at[k].seconds = j.seconds;
  }
  return true;
}

// The first mutant that has to be judged waits for that, and others with it.
static bool is_measured(trials *t) {
  pthread_mutex_lock(&t->lock);
  if (!t->measured) measure(t, &t->fault);
  t->measured = true;
  pthread_mutex_unlock(&t->lock);
  return !t->fault.code;
}

// One mutant ------------------------------------------------------------------------------------------------

// What is promising comes first: what killed others, and takes little time.
static double promise(const trial *x) { return (1 + x->kills) / (0.1 + x->seconds); }

static size_t most_promising(const trials *t, const bool *done) {
  size_t best = t->n;
  for (size_t k = 0; k < t->n; k++)
    if (!done[k] && (best == t->n || promise(&t->at[k]) > promise(&t->at[best]))) best = k;
  return best;
}

static double limit_of(const trial *x) {
  return TIMES * x->seconds > LEAST_SECONDS ? TIMES * x->seconds : LEAST_SECONDS;
}

// The next case of a mutant; t->n: there is none.
static size_t next_case(trials *t, bool *done) {
  pthread_mutex_lock(&t->lock);
  const size_t k = most_promising(t, done);
  if (k < t->n) done[k] = true;
  pthread_mutex_unlock(&t->lock);
  return k;
}

static attempt run_cases(trials *t, const char *runner, const char *folder) {
  attempt a = {.what = MISSED};
  SL_FREED bool *done = calloc(t->n, sizeof *done);
  for (size_t k; a.what == MISSED && done && (k = next_case(t, done)) < t->n;) {
    const judged j = judge_case(t, k, runner, folder, limit_of(&t->at[k]));
    if (j.known && j.lost <= 0) continue;
    a.what = j.known ? KILLED : FAILED;
    snprintf(a.by, sizeof a.by, "%s: %s", t->at[k].name, j.why);
    pthread_mutex_lock(&t->lock);
    t->at[k].kills += j.known;
    pthread_mutex_unlock(&t->lock);
  }
  return a;
}

static attempt try_text(trials *t, const char *file, const char *folder) {
  SL_FREED char *runner = NULL, *log = NULL;
  sl_error e = {0};
  if (sl_build_runner(t->info->number, file, NULL, &runner, &log, &e)) return run_cases(t, runner, folder);
  attempt a = {.what = e.code == SL_EXIT_INPUT ? UNBUILT : FAILED};
  snprintf(a.by, sizeof a.by, "%.150s", e.code == SL_EXIT_INPUT ? "" : e.text);
  return a;
}

attempt trials_of(trials *t, const char *file, const char *text) {
  attempt a = {.what = FAILED};
  char key[65];
  SL_FREED char *folder = sl_folder_of(file);
  key_of(t, text, key);
  if (recall(t, key, &a)) return a;
  if (is_measured(t)) a = try_text(t, file, folder);
  else snprintf(a.by, sizeof a.by, "%.390s", t->fault.text);
  keep(t, key, &a);
  return a;
}

// The lab ---------------------------------------------------------------------------------------------------

static bool list_cases(trials *t, sl_error *e) {
  for (size_t p = 0; p < t->lab->n_parts; p++)
    for (size_t c = 0; c < t->lab->parts[p].n_cases; c++) {
      const sl_case *one = &t->lab->parts[p].cases[c];
      if (!sl_case_runs_on(one, "sim")) continue;
      if (!SL_ROOM(t->at, t->n)) return sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory");
      trial *x = &t->at[t->n++];
      *x = (trial){0};
      snprintf(x->name, sizeof x->name, "%s.%s", t->lab->parts[p].id, one->id);
    }
  return true;
}

trials *trials_begin(const sl_lab_info *info, const char *folder, sl_error *e) {
  trials *t = calloc(1, sizeof *t);
  if (!t) return sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory"), NULL;
  SL_FREED char *log = sl_path("%s/ended", folder);
  *t = (trials){.info = info, .folder = sl_path("%s", folder), .lock = PTHREAD_MUTEX_INITIALIZER};
  t->description = sl_path("%s/labs/%s/lab.json", sl_course_root(), info->name);
  t->solution = sl_path("%s/solutions/%s/kernel.cu", sl_course_root(), info->name);
  t->lab = sl_lab_load(t->description, e);
  bool ok = t->lab && list_cases(t, e) && hash_course(t, e) && sl_mkdirs(folder, e);
  if (ok && sl_is_file(log)) ok = (t->kept = sl_read_file(log, (size_t)1 << 28, NULL, e)) != NULL;
  if (ok && !(t->log = fopen(log, "ae"))) ok = sl_fail(e, SL_EXIT_INFRA, NULL, "%s: cannot be written", log);
  if (ok) return t;
  trials_end(t);
  return NULL;
}

void trials_end(trials *t) {
  if (t->log) fclose(t->log);
  sl_lab_free(t->lab);
  free(t->description), free(t->folder), free(t->kept), free(t->solution), free(t->at), free(t);
}
