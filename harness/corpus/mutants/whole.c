// Grades mutants to their end, as a class: what each loses in all.
//
// Interface: whole_grading, whole_of.
#include "mutants.h"
#include "base/json.h"

json_t *whole_grading(const sl_lab_info *info, const char *folder, int64_t n_jobs, sl_error *e) {
  SL_FREED char *grader = sl_tool_path("sl-grade"), *results = sl_path("%s.json", folder);
  SL_FREED char *records = sl_path("%s.records", folder), *jobs = sl_path("%lld", (long long)n_jobs),
                *said = NULL;
  char *argv[] = {grader,   (char *)folder, "--lab",      (char *)info->number, "--out", records,
                  "--json", results,        "--no-plots", n_jobs ? "-j" : NULL, jobs,    NULL};
  remove(results);
  sl_exit_status how = sl_run(argv, NULL, 0, 1 << 16, &said, e);
  json_t *root = json_load_file(results, 0, NULL);
  if (!root && !e->code)
    sl_fail(e, SL_EXIT_INFRA, NULL, "the grader ended with %d: %s", how.code, said ? said : "");
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

attempt whole_of(json_t *results, const char *id) {
  attempt a = {.what = MISSED};
  json_t *lab = lab_results(results, id);
  const double lost = sl_json_number(lab, "max") - sl_json_number(lab, "score");
  if (!lab || some_test_has(lab, "status", "error")) a.what = FAILED;
  else if (some_test_has(lab, "reason", "build.failed")) a.what = UNBUILT;
  else if (lost > 0) a.what = KILLED, snprintf(a.by, sizeof a.by, "loses %g", lost);
  return a;
}
