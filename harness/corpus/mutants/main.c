// sl-mutants: makes mutants of the solutions, grades all of them, and says which ones no test has noticed.
//
// `scanlab mutants [--lab NN] ..`. A mutant is killed if it loses points. One that loses none is equivalent
// if it is device code that compiles to the same instructions, or if equivalent.txt has it with a reason;
// else it is missed. Exit codes: 0 none is missed, 1 one is, or a review no longer fits, 2 misuse, 4 the
// machine is at fault.
#include "mutants.h"

#include <jansson.h>
#include "scanlab/exit.h"

typedef struct options {
  sl_strings labs;
  const char *out, *operator_name;
  int64_t every, first, jobs;
  bool list;
} options;

typedef enum outcome { KILLED, SAME_CODE, EQUIVALENT, MISSED, UNBUILT, FAILED, OUTCOMES } outcome;
static const char *const outcome_names[OUTCOMES] = {"killed", "same code", "equivalent",
                                                    "missed", "unbuilt",   "error"};

typedef struct lab_row {
  const char *number, *name;
} lab_row;
static const lab_row course_labs[] = {
#define SL_LAB(number, name, ...) {#number, #number "_" #name},
#include "scanlab/labs.def"
    {0}};

typedef struct lab_run {
  const options *o;
  const lab_row *lab;
  char *folder; // the class: FOLDER/ID/LAB/kernel.cu
  source s;
  mutants all;
  reviews *known;
  size_t counts[OUTCOMES], made;
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

// Grading ---------------------------------------------------------------------------------------------------

// Grades the class of the lab; the results as JSON, NULL with [e]. The grader keeps its records, so that what
// has not changed is not run again.
static json_t *grade_class(const lab_run *r, sl_error *e) {
  char *grader = sl_tool_path("sl-grade"), *results = sl_path("%s.json", r->folder);
  char *records = sl_path("%s.records", r->folder), *jobs = sl_path("%lld", (long long)r->o->jobs),
       *said = NULL;
  char *argv[] = {grader,   r->folder, "--lab",      (char *)r->lab->number,   "--out", records,
                  "--json", results,   "--no-plots", r->o->jobs ? "-j" : NULL, jobs,    NULL};
  remove(results);
  sl_exit_status how = sl_run(argv, NULL, 0, 1 << 16, &said, e);
  json_t *root = json_load_file(results, 0, NULL);
  if (!root && !e->code)
    sl_fail(e, SL_EXIT_INFRA, NULL, "the grader ended with %d: %s", how.code, said ? said : "");
  free(grader), free(results), free(records), free(jobs), free(said);
  return root;
}

// The lab's results of the submission [id]; NULL if they are not there.
static json_t *lab_results(json_t *root, const char *id) {
  size_t i;
  json_t *sub, *one = json_is_object(root) ? json_pack("[O]", root) : json_incref(root), *found = NULL;
  json_array_foreach(one, i, sub) {
    const char *name = json_string_value(json_object_get(sub, "submission"));
    if (name && !strcmp(name, id)) found = json_array_get(json_object_get(sub, "labs"), 0);
  }
  json_decref(one);
  return found;
}

// Is there a test with this value of the field [key]?
static bool some_test_has(json_t *lab, const char *key, const char *value) {
  size_t i;
  json_t *test;
  json_array_foreach(json_object_get(lab, "tests"), i, test) {
    const char *text = json_string_value(json_object_get(test, key));
    if (text && !strcmp(text, value)) return true;
  }
  return false;
}

// The PTX of the kernel in [file], without what names the file; malloc'ed, NULL if it does not compile.
static char *ptx_of(const char *file) {
  SL_FREED char *include = sl_path("-I%s", sl_include_folder());
  char *said = NULL;
  char *argv[] = {(char *)sl_nvcc(), "-ptx", "-arch=compute_75", "-O3", "-std=c++17", include, "-o", "-",
                  (char *)file,      NULL};
  sl_error e = {0};
  sl_exit_status how = sl_run(argv, NULL, 120, 16 << 20, &said, &e);
  return how.code == 0 ? said : (free(said), NULL);
}

static bool is_same_code(const lab_run *r, const mutant *m) {
  if (!m->device) return false;
  char *file = mutant_file(r, m);
  char *solution = sl_path("%s/solutions/%s/kernel.cu", sl_course_root(), r->lab->name);
  char *one = ptx_of(file), *two = ptx_of(solution);
  bool same = one && two && !strcmp(one, two);
  free(file), free(solution), free(one), free(two);
  return same;
}

static double number(json_t *o, const char *key) { return json_number_value(json_object_get(o, key)); }

static outcome outcome_of(const lab_run *r, const mutant *m, json_t *lab, const review *known) {
  if (!lab || some_test_has(lab, "status", "error")) return FAILED;
  if (some_test_has(lab, "reason", "build.failed")) return UNBUILT;
  if (number(lab, "score") < number(lab, "max")) return KILLED;
  if (known) return EQUIVALENT;
  return is_same_code(r, m) ? SAME_CODE : MISSED;
}

// Reporting -------------------------------------------------------------------------------------------------

// A review has to say what the mutant changes: numbers of mutants move when a solution does.
static bool review_fits(const lab_run *r, const mutant *m, review *known, outcome what) {
  SL_FREED char *change = mutant_change(&r->s, m);
  bool fits = !strcmp(change, known->change) && what == EQUIVALENT;
  known->used = true;
  if (!fits)
    printf("%s: reviewed as \"%s\", but it is \"%s\" and %s\n", m->id, known->change, change,
           outcome_names[what]);
  return fits;
}

static void report_mutant(const lab_run *r, const mutant *m, outcome what, json_t *lab) {
  SL_FREED char *change = mutant_change(&r->s, m);
  if (what == KILLED)
    printf("%s\tkilled, loses %g\t%s\n", m->id, number(lab, "max") - number(lab, "score"), change);
  else printf("%s\t%s\t%s\n", m->id, outcome_names[what], change);
}

// Judges every mutant of the lab. False if one is missed or a review does not fit.
static bool judge_all(lab_run *r, json_t *root) {
  bool ok = true;
  for (size_t i = 0; i < r->all.n; i++) {
    const mutant *m = &r->all.at[i];
    if (!is_wanted(r, i)) continue;
    review *known = reviews_find(r->known, m->id);
    json_t *lab = lab_results(root, m->id);
    outcome what = outcome_of(r, m, lab, known);
    r->counts[what]++;
    report_mutant(r, m, what, lab);
    if (known && !review_fits(r, m, known, what)) ok = false;
    if (what == MISSED || what == FAILED) ok = false;
  }
  return ok;
}

static void print_counts(const char *what, const size_t counts[OUTCOMES]) {
  size_t all = 0;
  for (int k = 0; k < OUTCOMES; k++) all += counts[k];
  printf("%-6s %6zu", what, all);
  for (int k = 0; k < OUTCOMES; k++) printf(" %10zu", counts[k]);
  printf("\n");
}

// One lab: adds its counts to [sum]. False if something is missed, or with [e].
static bool run_lab(const options *o, const lab_row *lab, reviews *known, size_t sum[OUTCOMES], sl_error *e) {
  lab_run r = {.o = o, .lab = lab, .known = known, .folder = sl_path("%s/%s", o->out, lab->number)};
  char *solution = sl_path("%s/solutions/%s/kernel.cu", sl_course_root(), lab->name);
  bool ok = source_read(&r.s, solution, e);
  if (ok) r.all = mutants_of(&r.s, lab->number);
  ok = ok && make_all(&r, e);
  if (ok && r.made && !o->list) {
    json_auto_t *root = grade_class(&r, e);
    ok = root && judge_all(&r, root);
    print_counts(lab->number, r.counts);
    for (int k = 0; k < OUTCOMES; k++) sum[k] += r.counts[k];
  }
  mutants_free(&r.all);
  source_free(&r.s);
  free(solution), free(r.folder);
  return ok;
}

static bool run_all(const options *o, reviews *known, sl_error *e) {
  size_t sum[OUTCOMES] = {0};
  bool ok = true;
  for (const lab_row *lab = course_labs; lab->number && !e->code; lab++)
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
      SL_OPT_TEXT("--out", &o.out, "DIR", "where they are written (default: BUILD/mutants)"),
      SL_OPT_NUMBER("-j", &o.jobs, "N", 1, 1024, "builds and tests at a time"),
      SL_OPT_END};
  const sl_cli cli = {"./scanlab mutants",
                      "Makes mutants of the solutions and grades them all.",
                      "./scanlab mutants --lab 03 --every 5",
                      NULL,
                      opts,
                      0,
                      0};
  sl_cli_parse(&cli, argc, argv, NULL);
  if (!o.out) o.out = out;
  sl_error e = {0};
  reviews known;
  bool ok = reviews_read(&known, reviewed, &e) && run_all(&o, &known, &e);
  if (e.code) sl_error_print("scanlab mutants", &e);
  reviews_free(&known);
  return e.code ? e.code : ok ? SL_EXIT_OK : SL_EXIT_FAILED;
}
