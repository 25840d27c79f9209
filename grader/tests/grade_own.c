// What grade_check does with optional labs: solution, skeleton, right and wrong kernels of one are a class.
//
// Interface: check_own (grade_check.h).
#include "grade_check.h"

#include <glob.h>

// A part of a wrong kernel: named, or not.
typedef struct part_loss {
  const char *name; // "13.sums"
  double lost;
} part_loss;

static void add_loss(const json_t *test, void *arg) {
  part_loss *p = arg;
  const size_t len = strlen(p->name);
  const char *name = sl_json_text(test, "name");
  if (!strncmp(name, p->name, len) && name[len] == '.')
    p->lost += sl_json_number(test, "max") - sl_json_number(test, "points");
}

// What a kernel loses is what its parts lose that [x] names.
static void check_parts(const json_t *submission, const sl_expectation *x) {
  double named = 0;
  for (size_t i = 0; i < x->n; i++) {
    part_loss p = {.name = x->item[i]};
    const bool chance = by_chance(&p.name);
    if (each_test(submission, add_loss, &p) == 0 || (p.lost < 0.001 && !chance))
      problem("%s loses nothing in %s", sl_json_text(submission, "submission"), p.name);
    named += p.lost;
  }
  const double lost = sl_json_number(submission, "max") - sl_json_number(submission, "score");
  if (lost > named + 0.001)
    problem("%s loses %g points in parts that its line does not name", sl_json_text(submission, "submission"),
            lost - named);
}

static void check_own_kernel(const json_t *submission, const char *folder) {
  sl_error e = {0};
  const char *name = sl_json_text(submission, "submission");
  SL_FREED char *path = sl_path("%s/%s.diff", folder, name);
  sl_expectation x = {0};
  if (sl_is_file(path) && !sl_expectation_read(path, NULL, &x, &e)) stop(&e);
  if (x.n) check_parts(submission, &x);
  else each_test(submission, expect_status, strcmp(name, "skeleton") ? "pass" : "fail");
  sl_expectation_free(&x);
}

static void hand_in(const char *class, const char *name, const char *lab, const char *kernel) {
  sl_error e = {0};
  SL_FREED char *folder = sl_path("%s/%s/%s", class, name, lab), *to = sl_path("%s/kernel.cu", folder);
  SL_FREED char *text = sl_read_file(kernel, 1 << 20, NULL, &e);
  if (!text || !sl_mkdirs(folder, &e) || !sl_write_file(to, text, strlen(text), &e)) stop(&e);
}

// Hands in the right kernels of another style: all, or the second, the fourth .. Returns their number.
static int hand_in_right(const char *class, const char *folder, const char *lab, bool all_of_them) {
  SL_FREED char *pattern = sl_path("%s/*.cu", folder);
  glob_t found;
  const int found_n = glob(pattern, 0, NULL, &found) ? 0 : (int)found.gl_pathc;
  int n = 0;
  for (int k = !all_of_them; k < found_n; k += all_of_them ? 1 : 3, n++) {
    SL_FREED char *name = sl_path("%s", sl_base_name(found.gl_pathv[k]));
    name[strlen(name) - 3] = 0;
    hand_in(class, name, lab, found.gl_pathv[k]);
  }
  if (found_n) globfree(&found);
  else problem("%s: no right kernel of another style", folder);
  return n;
}

void check_own(const char *which) {
  int every;
  SL_FREED char *lab = every_kth(which, &every);
  SL_FREED char *folder = sl_path("%s/harness/corpus/labs/%s", root, lab), *class = sl_path("%s/class", work);
  SL_FREED char *solution = sl_path("%s/solutions/%s/kernel.cu", root, lab),
                *skeleton = sl_path("%s/labs/%s/kernel.cu", root, lab);
  const int n = make_class(class, lab, every) + hand_in_right(class, folder, lab, every == 1) + 2;
  hand_in(class, "solution", lab, solution);
  hand_in(class, "skeleton", lab, skeleton);
  json_t *all = grade(class, lab, SL_EXIT_FAILED), *submission;
  size_t i;
  if ((int)json_array_size(all) != n)
    problem("%zu submissions were graded, expected %d", json_array_size(all), n);
  json_array_foreach(all, i, submission) check_own_kernel(submission, folder);
  json_decref(all);
}
