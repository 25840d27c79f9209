// sl-mutants: makes mutants of the solutions, grades all of them, and says which ones no test has noticed.
//
// `scanlab mutants [--lab NN] ..`. A mutant is killed if it loses points; the first point that it loses ends
// its judging (try.c), or with --whole it is graded to the end (whole.c). One that loses none is equivalent
// if it is device code that compiles to the same instructions, or if equivalent.txt has it with a reason;
// else it is missed. Exit codes: 0 none is missed, 1 one is, or a review no longer fits, 2 misuse, 4 the
// machine is at fault.
#include "mutants.h"

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>
#include "gpu/start/schedule.h"

typedef struct options {
  sl_strings labs;
  const char *out, *operator_name;
  int64_t every, first, jobs;
  bool list, whole;
} options;

static const char *const outcome_names[OUTCOMES] = {"killed", "same code", "equivalent",
                                                    "missed", "unbuilt",   "error"};

typedef struct lab_run {
  const options *o;
  const sl_lab_info *lab;
  char *folder; // the class: FOLDER/ID/LAB/kernel.cu
  source s;
  mutants all;
  reviews *known;
  trials *trials;  // NULL with --whole
  json_t *results; // with --whole
  size_t counts[OUTCOMES], made;
  atomic_size_t next;
  pthread_mutex_t lock; // for what follows an attempt
  bool ok;
} lab_run;

// Choosing --------------------------------------------------------------------------------------------------

static bool is_wanted_lab(const options *o, const char *number) {
  for (size_t i = 0; i < o->labs.n; i++)
    if (!strcmp(o->labs.at[i], number)) return true;
  return o->labs.n == 0;
}

static bool is_wanted(const lab_run *r, size_t i) {
  const char *dash = strchr(r->all.at[i].id, '-'), *name = r->o->operator_name;
  if (name && (strncmp(dash + 1, name, strlen(name)) || dash[1 + strlen(name)] != '-')) return false;
  return (i + 1) % (size_t)r->o->every == (size_t)r->o->first % (size_t)r->o->every;
}

// Making ----------------------------------------------------------------------------------------------------

static char *mutant_file(const lab_run *r, const mutant *m) {
  return sl_path("%s/%s/%s/kernel.cu", r->folder, m->id, r->lab->name);
}

// Writes the mutant, unless the same text is there already.
static bool write_mutant(const lab_run *r, const mutant *m, sl_error *e) {
  SL_FREED char *file = mutant_file(r, m), *folder = sl_path("%s/%s/%s", r->folder, m->id, r->lab->name);
  SL_FREED char *text = mutant_text(&r->s, m);
  return sl_mkdirs(folder, e) && sl_write_file(file, text, strlen(text), e);
}

static void list_mutant(const lab_run *r, const mutant *m) {
  SL_FREED char *change = mutant_change(&r->s, m);
  printf("%s\t%u\t%s\n", m->id, m->line, change);
}

// Makes those that were asked for. False with [e].
static bool make_all(lab_run *r, sl_error *e) {
  for (size_t i = 0; i < r->all.n; i++) {
    if (!is_wanted(r, i)) continue;
    r->made++;
    if (r->o->list) list_mutant(r, &r->all.at[i]);
    else if (!write_mutant(r, &r->all.at[i], e)) return false;
  }
  return true;
}

// Judging ---------------------------------------------------------------------------------------------------

// The PTX of the kernel in [file], without what names the file; malloc'ed, NULL if it does not compile.
static char *ptx_of(const char *file) {
  SL_FREED char *include = sl_path("-I%s", sl_include_folder());
  char *said = NULL;
  char *argv[] = {(char *)sl_nvcc(), "-ptx", "-arch=compute_75", "-O3", "-std=c++17", include, "-o", "-",
                  (char *)file,      NULL};
  sl_error e = {0};
  sl_exit_status how = sl_run_by_work(argv, NULL, 120, 16 << 20, &said, &e);
  return how.code == 0 ? said : (free(said), NULL);
}

static bool is_same_code(const lab_run *r, const mutant *m) {
  if (!m->device) return false;
  SL_FREED char *file = mutant_file(r, m);
  SL_FREED char *solution = sl_path("%s/solutions/%s/kernel.cu", sl_course_root(), r->lab->name);
  SL_FREED char *one = ptx_of(file), *two = ptx_of(solution);
  return one && two && !strcmp(one, two);
}

static outcome outcome_of(const lab_run *r, const mutant *m, const attempt *a, const review *known) {
  if (a->what != MISSED) return a->what;
  return known ? EQUIVALENT : is_same_code(r, m) ? SAME_CODE : MISSED;
}

static attempt attempt_at(const lab_run *r, const mutant *m) {
  if (!r->trials) return whole_of(r->results, m->id);
  SL_FREED char *file = mutant_file(r, m), *text = mutant_text(&r->s, m);
  return trials_of(r->trials, file, text);
}

// Reporting -------------------------------------------------------------------------------------------------

// A review has to say what the mutant changes: numbers of mutants move when a solution does.
static bool review_fits(const lab_run *r, const mutant *m, const review *known, outcome what) {
  SL_FREED char *change = mutant_change(&r->s, m);
  bool fits = !strcmp(change, known->change) && what == EQUIVALENT;
  if (!fits)
    printf("%s: reviewed as \"%s\", but it is \"%s\" and %s\n", m->id, known->change, change,
           outcome_names[what]);
  return fits;
}

static void report_mutant(const lab_run *r, const mutant *m, outcome what, const attempt *a) {
  SL_FREED char *change = mutant_change(&r->s, m);
  printf("%s\t%s%s%s\t%s\n", m->id, outcome_names[what], a->by[0] ? ", " : "", a->by, change);
  fflush(stdout);
}

static void judge_one(lab_run *r, const mutant *m) {
  const review *known = reviews_find(r->known, m->id);
  const attempt a = attempt_at(r, m);
  const outcome what = outcome_of(r, m, &a, known);
  pthread_mutex_lock(&r->lock);
  r->counts[what]++;
  report_mutant(r, m, what, &a);
  if (known && !review_fits(r, m, known, what)) r->ok = false;
  if (what == MISSED || what == FAILED) r->ok = false;
  pthread_mutex_unlock(&r->lock);
}

static void *worker(void *arg) {
  lab_run *r = arg;
  for (size_t i; (i = atomic_fetch_add(&r->next, 1)) < r->all.n;)
    if (is_wanted(r, i)) judge_one(r, &r->all.at[i]);
  return NULL;
}

static bool has_mutant(const mutants *all, const char *id) {
  for (size_t i = 0; i < all->n; i++)
    if (!strcmp(all->at[i].id, id)) return true;
  return false;
}

// Tells the reviews of the lab that no mutant has. False if there is one.
static bool reviews_have_mutants(const lab_run *r) {
  bool ok = true;
  for (size_t i = 0; i < r->known->n; i++) {
    const review *x = &r->known->at[i];
    if (strncmp(x->id, r->lab->number, 2) != 0 || has_mutant(&r->all, x->id)) continue;
    printf("%s: reviewed as \"%s\", but there is no such mutant\n", x->id, x->change);
    ok = false;
  }
  return ok;
}

// Judges every mutant of the lab, several at a time. False if one is missed or a review does not fit.
static bool judge_all(lab_run *r) {
  enum { MOST = 64 };
  pthread_t threads[MOST];
  size_t jobs = r->o->jobs ? (size_t)r->o->jobs : sl_jobs(), started = 0;
  if (jobs > MOST) jobs = MOST;
  if (r->results) jobs = 1;
  r->ok = reviews_have_mutants(r);
  while (started + 1 < jobs && pthread_create(&threads[started], NULL, worker, r) == 0) started++;
  worker(r);
  while (started > 0) pthread_join(threads[--started], NULL);
  return r->ok;
}

static void print_counts(const char *what, const size_t counts[OUTCOMES]) {
  size_t all = 0;
  for (int k = 0; k < OUTCOMES; k++) all += counts[k];
  printf("%-6s %6zu", what, all);
  for (int k = 0; k < OUTCOMES; k++) printf(" %10zu", counts[k]);
  printf("\n");
}

static bool begin_judging(lab_run *r, sl_error *e) {
  if (r->o->whole) r->results = whole_grading(r->lab, r->folder, r->o->jobs, e);
  else r->trials = trials_begin(r->lab, r->folder, e);
  return !e->code;
}

static void end_judging(lab_run *r) {
  if (r->trials) trials_end(r->trials);
  json_decref(r->results);
  mutants_free(&r->all);
  source_free(&r->s);
  free(r->folder);
}

// One lab: adds its counts to [sum]. False if something is missed, or with [e].
static bool run_lab(const options *o, const sl_lab_info *lab, reviews *known, size_t sum[OUTCOMES],
                    sl_error *e) {
  lab_run r = {.o = o,
               .lab = lab,
               .known = known,
               .lock = PTHREAD_MUTEX_INITIALIZER,
               .folder = sl_path("%s/%s", o->out, lab->number)};
  SL_FREED char *solution = sl_path("%s/solutions/%s/kernel.cu", sl_course_root(), lab->name);
  bool ok = source_read(&r.s, solution, e);
  if (ok) r.all = mutants_of(&r.s, lab->number);
  ok = ok && make_all(&r, e);
  if (ok && r.made && !o->list) {
    ok = begin_judging(&r, e) && judge_all(&r);
    print_counts(lab->number, r.counts);
    for (int k = 0; k < OUTCOMES; k++) sum[k] += r.counts[k];
  }
  end_judging(&r);
  return ok;
}

static bool run_all(const options *o, reviews *known, sl_error *e) {
  size_t sum[OUTCOMES] = {0};
  bool ok = true;
  for (const sl_lab_info *lab = sl_labs; lab->name && !e->code; lab++)
    if (is_wanted_lab(o, lab->number) && !run_lab(o, lab, known, sum, e)) ok = false;
  for (const sl_lab_info *lab = sl_own_labs; lab->name && !e->code; lab++)
    if (is_wanted_lab(o, lab->number) && !run_lab(o, lab, known, sum, e)) ok = false;
  if (o->list || e->code) return ok && !e->code;
  printf("%-6s %6s", "lab", "made");
  for (int k = 0; k < OUTCOMES; k++) printf(" %10s", outcome_names[k]);
  printf("\n");
  print_counts("all", sum);
  return ok;
}

int main(int argc, char **argv) {
  options o = {.every = 1, .first = 1};
  SL_FREED char *out = sl_path("%s/mutants", sl_work_folder());
  SL_FREED char *reviewed = sl_path("%s/harness/corpus/mutants/equivalent.txt", sl_course_root());
  const sl_opt opts[] = {
      SL_OPT_LIST("--lab", &o.labs, "NN", "this lab only (repeatable)"),
      SL_OPT_NUMBER("--every", &o.every, "K", 1, 10000, "every K-th mutant of a lab only"),
      SL_OPT_NUMBER("--first", &o.first, "I", 1, 10000,
                    "begin at the I-th of them: with --every K one of K equal shares"),
      SL_OPT_TEXT("--operator", &o.operator_name, "NAME", "mutants of this operator only"),
      SL_OPT_FLAG("--list", &o.list, "list the mutants: name, line, change; grade nothing"),
      SL_OPT_FLAG("--whole", &o.whole, "grade each to the end, with all tests: what it loses in all"),
      SL_OPT_TEXT("--out", &o.out, "DIR", "where they are written (default: BUILD/mutants)"),
      SL_OPT_NUMBER("-j", &o.jobs, "N", 1, 1024, "mutants at a time; with --whole builds and tests"),
      SL_OPT_END};
  const sl_cli cli = {"./scanlab mutants",
                      "Makes mutants of the solutions and judges each until it loses a point.",
                      "./scanlab mutants --lab 03 --every 5", NULL, opts};
  sl_cli_parse(&cli, argc, argv, NULL);
  if (!o.out) o.out = out;
  unsetenv(SL_SCHEDULE_ENV); // as in grading
  sl_error e = {0};
  reviews known;
  bool ok = reviews_read(&known, reviewed, &e) && run_all(&o, &known, &e);
  if (e.code) sl_error_print("scanlab mutants", &e);
  reviews_free(&known);
  return e.code ? e.code : ok ? SL_EXIT_OK : SL_EXIT_FAILED;
}
