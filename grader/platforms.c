// The result of one submission as submission systems take it: Gradescope, GitHub Classroom, Autolab, PrairieLearn.
//
// Interface: sl__write_platforms. A row of `platforms` is one system: the JSON that it reads. When a test ended in an
// error of the grader, nobody gets a score: each system has its own way to say that the attempt does not count.
#include "grade.h"

#include <stdlib.h>
#include <string.h>

static const char broken[] =
    "The autograder could not do its work, and gave no score. This is no fault of your submission: tell "
    "your instructors, or hand in again later.";

static bool has_errors(const sl_submission *s) {
  for (size_t i = 0; i < s->n_labs; i++)
    for (size_t k = 0; k < s->labs[i].n_tests; k++)
      if (s->labs[i].tests[k].r.status == SL_ERROR) return true;
  return false;
}

static double seconds_of(const sl_submission *s) {
  double sum = 0;
  for (size_t i = 0; i < s->n_labs; i++)
    for (size_t k = 0; k < s->labs[i].n_tests; k++) sum += s->labs[i].tests[k].r.seconds;
  return sum;
}

static const char *output_of(sl_arena *a, const sl_test *t) {
  return *t->r.detail ? sl__str(a, "%s\n%s", t->r.message, t->r.detail) : t->r.message;
}

// The list of what [make] makes of each test.
static json_t *list_tests(sl_arena *a, const sl_submission *s, json_t *(*make)(sl_arena *, const sl_test *)) {
  json_t *tests = json_array();
  for (size_t i = 0; i < s->n_labs; i++)
    for (size_t k = 0; k < s->labs[i].n_tests; k++)
      json_array_append_new(tests, make(a, &s->labs[i].tests[k]));
  return tests;
}

// Gradescope: results.json ----------------------------------------------------------------------------------

static json_t *gradescope_test(sl_arena *a, const sl_test *t) {
  return json_pack("{s:s, s:s, s:f, s:f, s:s, s:s, s:s, s:s}", "name", t->name, "status",
                   t->r.status == SL_PASS ? "passed" : "failed", "score", t->r.points, "max_score", t->max,
                   "output", output_of(a, t), "output_format", "text", "name_format", "text", "visibility",
                   t->c->visibility == SL_AFTER_DUE ? "after_due_date" : "visible");
}

// Without a score and without tests Gradescope shows that the autograder failed.
static json_t *gradescope(sl_arena *a, const sl_submission *s, bool errors) {
  if (errors)
    return json_pack("{s:s, s:s, s:s}", "output", broken, "output_format", "text", "stdout_visibility",
                     "hidden");
  return json_pack("{s:f, s:f, s:s, s:o}", "score", s->score, "execution_time", seconds_of(s),
                   "stdout_visibility", "hidden", "tests", list_tests(a, s, gradescope_test));
}

// GitHub Classroom: the result of a grading step, before base64 ---------------------------------------------

static json_t *github_test(sl_arena *a, const sl_test *t) {
  return json_pack("{s:s, s:s, s:f, s:s, s:s, s:s, s:i, s:f}", "name", t->name, "status",
                   t->r.status == SL_PASS ? "pass" : "fail", "score", t->r.points, "message", output_of(a, t),
                   "test_code", t->name, "filename", "", "line_no", 0, "duration", t->r.seconds * 1000);
}

static json_t *github(sl_arena *a, const sl_submission *s, bool errors) {
  if (errors)
    return json_pack("{s:i, s:s, s:[{s:s, s:s, s:s}]}", "version", 1, "status", "error", "tests", "name",
                     s->name, "status", "error", "message", broken);
  return json_pack("{s:i, s:s, s:f, s:o}", "version", 1, "status", s->score >= s->max ? "pass" : "fail",
                   "max_score", s->max, "tests", list_tests(a, s, github_test));
}

// Autolab: the autoresult, whose problems are the labs ------------------------------------------------------

static json_t *autolab(sl_arena *a, const sl_submission *s, bool errors) {
  (void)a;
  json_t *scores = json_object();
  if (errors) return json_decref(scores), json_pack("{s:s}", "error", broken);
  for (size_t i = 0; i < s->n_labs; i++)
    json_object_set_new(scores, s->labs[i].lab->info->name, json_real(s->labs[i].score));
  return json_pack("{s:o}", "scores", scores);
}

// PrairieLearn: results/results.json ------------------------------------------------------------------------

// Without the details: more than 1 MB is refused.
static json_t *prairielearn_test(sl_arena *a, const sl_test *t) {
  (void)a;
  return json_pack("{s:s, s:f, s:f, s:s}", "name", t->name, "points", t->r.points, "max_points", t->max,
                   "message", t->r.message);
}

static json_t *prairielearn(sl_arena *a, const sl_submission *s, bool errors) {
  if (errors) return json_pack("{s:b, s:s, s:s}", "gradable", 0, "message", broken, "output", broken);
  return json_pack("{s:b, s:f, s:s, s:o}", "gradable", 1, "score", s->max > 0 ? s->score / s->max : 0,
                   "message", sl__str(a, "%s of %s points", sl__points(a, s->score), sl__points(a, s->max)),
                   "tests", list_tests(a, s, prairielearn_test));
}

// All -------------------------------------------------------------------------------------------------------

const char *const sl__platform_names[] = {"gradescope", "github", "autolab", "prairielearn", NULL};
static json_t *(*const makers[])(sl_arena *, const sl_submission *, bool errors) = {gradescope, github,
                                                                                    autolab, prairielearn};

// In one line, which Autolab and GitHub ask for.
static bool write_platform(const sl_grading *g, int k, const char *path, sl_error *e) {
  const sl_submission *s = &g->subs[0];
  json_t *all = makers[k](g->arena, s, has_errors(s));
  char *text = all ? json_dumps(all, 0) : NULL;
  json_decref(all);
  char *line = text ? sl_path("%s\n", text) : NULL;
  bool ok = line ? sl_write_file(path, line, strlen(line), e)
                 : sl_fail(e, SL_EXIT_INFRA, NULL, "the results could not be put into JSON");
  free(line);
  free(text);
  return ok;
}

bool sl__write_platforms(const sl_grading *g, const sl_exports *x, sl_error *e) {
  for (int k = 0; k < SL_PLATFORMS; k++)
    if (x->platform[k] && !write_platform(g, k, x->platform[k], e)) return false;
  return true;
}
