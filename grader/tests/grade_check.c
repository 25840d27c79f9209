// Grades known submissions with the real judge and compares the JSON with what must come out.
//
//   grade_check SL_GRADE ROOT WORK full POINTS       the solutions: every test passes, POINTS of POINTS
//   grade_check SL_GRADE ROOT WORK zero POINTS       the skeletons: every test fails, 0 of POINTS
//   grade_check SL_GRADE ROOT WORK wrong LAB         each harness/corpus/labs/LAB/*.diff: exactly the tests
//                                                    that its first lines name (corpus/expectation.h) fail,
//                                                    all others pass. Three or more such kernels. LAB:K: each
//                                                    K-th of them.
//   grade_check SL_GRADE ROOT WORK own LAB[:K]       an optional lab: solution and right kernels
//                                                    (corpus/labs/LAB/*.cu) have full score, the skeleton has
//                                                    none; of wrong ones every K-th loses the parts that it
//                                                    names ("13.sums"), and no other
//   grade_check SL_GRADE ROOT WORK right LAB[ NAME..]
//                                                    right submissions (harness/corpus/labs/right), all of a
//                                                    lab's or those named: each has full score, or loses in
//                                                    the tests that its line names. Prints a row of a table
//                                                    each.
#include "grade_check.h"

#include <fnmatch.h>

enum { MIN_WRONG = 3, LIMIT = 1500, ANY_CODE = -1 /* 0 or 1 */, MOST_TOLD = 5 };

const char *grade_program, *root, *work;
static int problems;

void problem(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vprintf(fmt, ap);
  va_end(ap);
  putchar('\n');
  problems++;
}

_Noreturn void stop(const sl_error *e) {
  sl_error_print("grade_check", e);
  exit(e->code);
}

// Some wrong kernels are caught by some inputs only: with one key, all inputs are the same every time.
static char *write_key(void) {
  sl_error e = {0};
  char *path = sl_path("%s/key", work);
  if (!sl_mkdirs(work, &e) || !sl_write_file(path, "the key of tests: 32 characters!", 32, &e)) stop(&e);
  if (chmod(path, 0600) != 0) problem("%s: its mode cannot be set", path);
  return path;
}

// Grades [dir] into WORK; returns the JSON. [want]: the exit code, or ANY_CODE.
json_t *grade(const char *dir, const char *lab, int want) {
  sl_error e = {0};
  SL_FREED char *json = sl_path("%s/results.json", work), *out = sl_path("%s/out", work), *said = NULL,
                *key = write_key();
  char *argv[] = {(char *)grade_program, (char *)dir, "--out", out, "--json", json,
                  "--no-plots",          "--fresh",   "--key", key, "-j",     "2",
                  lab ? "--lab" : NULL,  (char *)lab, NULL};
  remove(json);
  sl_exit_status end = sl_run(argv, NULL, LIMIT, 1 << 20, &said, &e);
  if (e.code) stop(&e);
  if (want == ANY_CODE ? end.code > SL_EXIT_FAILED : end.code != want)
    problem("sl-grade %s ended with %d, expected %d:\n%s", dir, end.code, want, said);
  json_error_t at;
  json_t *v = json_load_file(json, JSON_REJECT_DUPLICATES, &at);
  if (!v) problem("%s: %s\n%s", json, at.text, said);
  return v;
}

// Calls [check] for every test of a submission; returns their number.
size_t each_test(const json_t *submission, void (*check)(const json_t *test, void *arg), void *arg) {
  size_t i, k, n = 0;
  json_t *lab, *test;
  json_array_foreach(json_object_get(submission, "labs"), i, lab) {
    json_array_foreach(json_object_get(lab, "tests"), k, test) {
      check(test, arg);
      n++;
    }
  }
  return n;
}

void expect_status(const json_t *test, void *want) {
  if (strcmp(sl_json_text(test, "status"), want) != 0)
    problem("%s: %s, expected %s: %s", sl_json_text(test, "name"), sl_json_text(test, "status"), (char *)want,
            sl_json_text(test, "message"));
  double points = strcmp(want, "pass") ? 0 : sl_json_number(test, "max");
  if (sl_json_number(test, "points") != points)
    problem("%s: %g points, expected %g", sl_json_text(test, "name"), sl_json_number(test, "points"), points);
}

// What lab.json says of the reference is what the solution does.
static void expect_reference(const json_t *test, void *count) {
  json_t *speed = json_object_get(test, "speed");
  double ratio = sl_json_number(json_object_get(speed, "ratio"), "value");
  *(size_t *)count += speed != NULL;
  if (speed && !(ratio > 0.995 && ratio < 1.005))
    problem("%s: the solution has %g of the speed that lab.json gives for it: mend \"reference\"",
            sl_json_text(test, "name"), ratio);
}

static void check_course(const char *dir, const char *status, double score, double max, int exit_code) {
  json_auto_t *v = grade(dir, NULL, exit_code);
  size_t n = each_test(v, expect_status, (void *)status);
  size_t speeds = 0;
  each_test(v, expect_reference, &speeds);
  if (!strcmp(status, "pass") && speeds != 3) problem("%zu tests of speed, expected 3", speeds);
  if (n < 200) problem("only %zu tests were graded", n);
  if (sl_json_number(v, "score") != score || sl_json_number(v, "max") != max)
    problem("score %g / %g, expected %g / %g", sl_json_number(v, "score"), sl_json_number(v, "max"), score,
            max);
}

// Wrong kernels ---------------------------------------------------------------------------------------------

typedef struct wrong_kernel {
  const char *name;
  sl_expectation x;
  bool used[SL_MAX_ITEMS];
} wrong_kernel;

// "03.scan.*" and "03.scan.!(n0|n1)" name the test "03.scan.n5.sim": the backend follows.
static bool names_test(const char *item, const char *test) {
  SL_FREED char *pattern = sl_path("%s.*", item);
  return fnmatch(pattern, test, FNM_EXTMATCH) == 0;
}

bool by_chance(const char **item) {
  static const char maybe[] = "maybe ";
  const bool is = !strncmp(*item, maybe, sizeof maybe - 1);
  *item += is ? sizeof maybe - 1 : 0;
  return is;
}

static void expect_named(const json_t *test, void *arg) {
  wrong_kernel *w = arg;
  bool named = false;
  for (size_t i = 0; i < w->x.n; i++) {
    const char *item = w->x.item[i];
    const bool chance = by_chance(&item);
    if (!names_test(item, sl_json_text(test, "name"))) continue;
    named = w->used[i] = true;
    if (chance) return;
  }
  const char *want = named ? "fail" : "pass";
  if (strcmp(sl_json_text(test, "status"), want) != 0)
    problem("%s: %s: %s, expected %s: %s", w->name, sl_json_text(test, "name"), sl_json_text(test, "status"),
            want, sl_json_text(test, "message"));
}

static void check_wrong_kernel(const json_t *submission, const char *folder) {
  sl_error e = {0};
  wrong_kernel w = {.name = sl_json_text(submission, "submission")};
  SL_FREED char *path = sl_path("%s/%s.diff", folder, w.name);
  if (!sl_expectation_read(path, NULL, &w.x, &e)) stop(&e);
  if (w.x.n == 0) problem("%s: it fails no test", path);
  if (each_test(submission, expect_named, &w) == 0) problem("%s: no tests", w.name);
  for (size_t i = 0; i < w.x.n; i++)
    if (!w.used[i]) problem("%s: no test is called %s", w.name, w.x.item[i]);
  sl_expectation_free(&w.x);
}

// Keeps every [every]-th kernel of the class, in the order of their names. Returns their number.
static int thin_class(const char *class, int every) {
  sl_error e = {0};
  struct dirent **name = NULL;
  int kept = 0, seen = 0, all = scandir(class, &name, NULL, alphasort);
  for (int k = 0; k < all; k++) {
    if (name[k]->d_name[0] != '.') {
      char *folder = sl_path("%s/%s", class, name[k]->d_name), *argv[] = {"rm", "-rf", "--", folder, NULL};
      if (seen++ % every == 0) kept++;
      else if (sl_run(argv, NULL, 60, 1000, NULL, &e).code != 0) stop(&e);
      free(folder);
    }
    free(name[k]);
  }
  free(name);
  return kept;
}

// Makes a class of the wrong kernels: WORK/class/KERNEL/LAB/kernel.cu. Returns how many it keeps.
int make_class(const char *class, const char *lab, int every) {
  sl_error e = {0};
  SL_FREED char *script = sl_path("%s/harness/corpus/labs/wrong.sh", root), *said = NULL;
  if (sl_run(SL_ARGV(script, class, lab), NULL, 60, 1 << 16, &said, &e).code != 0)
    problem("%s: %s", script, said ? said : e.text);
  const int n = thin_class(class, 1);
  if (n < MIN_WRONG) problem("%s: expected at least %d wrong kernels, found %d", lab, MIN_WRONG, n);
  return thin_class(class, every);
}

// LAB or LAB:K. Returns LAB.
char *every_kth(const char *which, int *every) {
  const char *colon = strchr(which, ':');
  *every = colon && atoi(colon + 1) > 0 ? atoi(colon + 1) : 1;
  return sl_path("%.*s", (int)strcspn(which, ":"), which);
}

static void check_wrong(const char *which) {
  int every;
  SL_FREED char *lab = every_kth(which, &every);
  SL_FREED char *folder = sl_path("%s/harness/corpus/labs/%s", root, lab), *class = sl_path("%s/class", work);
  int n = make_class(class, lab, every);
  if (n < 2) problem("%s: a class has two submissions", lab);
  else {
    json_t *all = grade(class, lab, SL_EXIT_FAILED), *submission;
    size_t i;
    if ((int)json_array_size(all) != n)
      problem("%zu submissions were graded, expected %d", json_array_size(all), n);
    json_array_foreach(all, i, submission) check_wrong_kernel(submission, folder);
    json_decref(all);
  }
}

// Right kernels ---------------------------------------------------------------------------------------------

typedef struct right_kernel {
  const char *name;
  char *tests, *why; // that lose, separated by ", ", and why; "-", "": none
  size_t lost, told;
} right_kernel;

static bool may_lose(const char *tests, const char *test) {
  SL_FREED char *copy = sl_path("%s", tests);
  char *rest = copy, *item;
  bool found = false;
  while ((item = strsep(&rest, ", "))) found |= item[0] && names_test(item, test);
  return found;
}

static void expect_right(const json_t *test, void *arg) {
  right_kernel *r = arg;
  bool lost = sl_json_number(test, "points") < sl_json_number(test, "max");
  r->lost += lost;
  if (lost && !may_lose(r->tests, sl_json_text(test, "name")) && ++r->told <= MOST_TOLD)
    problem("%s: %s has %.2f of %.2f points: %s", r->name, sl_json_text(test, "name"),
            sl_json_number(test, "points"), sl_json_number(test, "max"), sl_json_text(test, "message"));
}

// Finds the row of right.sh's list.
static void find_right(const char *list, const char *lab, right_kernel *r) {
  SL_FREED char *start = sl_path("%s\t%s\t", lab, r->name);
  const char *at = strstr(list, start);
  if (!at) problem("%s is not listed", r->name);
  at = at ? at + strlen(start) : "-\t\n";
  r->tests = sl_path("%.*s", (int)strcspn(at, "\t\n"), at);
  at += strcspn(at, "\t\n");
  r->why = sl_path("%.*s", (int)strcspn(at + 1, "\n"), at + 1);
}

static void check_right_kernel(const json_t *submission, const char *list, const char *lab) {
  right_kernel r = {.name = sl_json_text(submission, "submission")};
  find_right(list, lab, &r);
  if (each_test(submission, expect_right, &r) == 0) problem("%s: no tests", r.name);
  if (!r.lost && strcmp(r.tests, "-")) problem("%s loses nothing: its line says %s", r.name, r.tests);
  printf("| %s | %s | %.1f | %s |\n", lab, r.name, sl_json_number(submission, "score"), r.why);
  free(r.tests);
  free(r.why);
}

static char *run_right(char *const *argv) {
  sl_error e = {0};
  char *said = NULL;
  if (sl_run(argv, NULL, 60, 1 << 20, &said, &e).code != 0) problem("%s: %s", argv[0], said ? said : e.text);
  return said;
}

// [names]: "LAB" or "LAB NAME NAME".
static void check_right(const char *names) {
  enum { MOST = 64 };
  SL_FREED char *words = sl_path("%s", names), *class = sl_path("%s/class", work),
                *script = sl_path("%s/harness/corpus/labs/right/right.sh", root);
  char *rest = words, *lab = strsep(&rest, " "), *argv[MOST] = {0};
  size_t n = 0, i;
  argv[n++] = script, argv[n++] = class, argv[n++] = lab;
  while (rest && n < MOST - 1) argv[n++] = strsep(&rest, " ");
  free(run_right(argv));
  SL_FREED char *list = run_right((char *[]){script, "list", NULL});
  json_t *all = grade(class, lab, ANY_CODE), *submission;
  if (json_is_object(all)) all = json_pack("[o]", all);
  if (json_array_size(all) == 0) problem("lab %s: nothing was graded", lab);
  json_array_foreach(all, i, submission) check_right_kernel(submission, list, lab);
  json_decref(all);
}

static void empty_work(void) {
  sl_error e = {0};
  if (sl_run(SL_ARGV("rm", "-rf", "--", work), NULL, 60, 1000, NULL, &e).code != 0 || !sl_mkdirs(work, &e))
    stop(&e);
}

int main(int argc, char **argv) {
  if (argc != 6) return SL_EXIT_USAGE;
  grade_program = argv[1], root = argv[2], work = argv[3];
  const double max = atof(argv[5]);
  empty_work();
  if (strcmp(argv[4], "full") == 0) check_course("solutions", "pass", max, max, SL_EXIT_OK);
  else if (strcmp(argv[4], "zero") == 0) check_course("labs", "fail", 0, max, SL_EXIT_FAILED);
  else if (strcmp(argv[4], "wrong") == 0) check_wrong(argv[5]);
  else if (strcmp(argv[4], "own") == 0) check_own(argv[5]);
  else if (strcmp(argv[4], "right") == 0) check_right(argv[5]);
  else return SL_EXIT_USAGE;
  if (problems) printf("%d problems\n", problems);
  return problems ? SL_EXIT_FAILED : SL_EXIT_OK;
}
