// A submission's result as submission systems take it: Gradescope, GitHub Classroom, Autolab, PrairieLearn.
//
// Interface: sl__write_platforms. A row of `platforms` is one system: the JSON that it reads. When a test
// ended in an error of the grader, nobody gets a score: each system has a way to say that.
#include "grade.h"

#include <math.h>

static const char broken[] = "The autograder could not do its work, and gave no score. This is no fault of "
                             "your submission: tell your instructors, or hand in again later.";

static bool has_errors(const sl_submission *s) {
  SL_EACH_LAB(s, gl)
    SL_EACH_TEST(gl, t)
      if (!gl->by_person && t->r.status == SL_ERROR) return true;
  return false;
}

// The time of the public tests. Not of others: a kernel could tell its input by how long it waits.
static double seconds_of(const sl_submission *s) {
  double sum = 0;
  SL_EACH_LAB(s, gl)
    SL_EACH_TEST(gl, t)
      if (t->c->visibility == SL_PUBLIC) sum += t->r.seconds;
  return sum;
}

static const char *output_of(sl_arena *a, const sl_test *t) {
  return *t->r.detail ? sl__str(a, "%s\n%s", t->r.message, t->r.detail) : t->r.message;
}

// What [make] makes of each test. Platforms add up what they are given: optional labs are left out.
static json_t *list_tests(sl_arena *a, const sl_submission *s, json_t *(*make)(sl_arena *, const sl_test *)) {
  json_t *tests = json_array();
  SL_EACH_LAB(s, gl)
    SL_EACH_TEST(gl, t)
      if (!sl__apart(s, gl)) json_array_append_new(tests, make(a, t));
  return tests;
}

// How much the lab's score is above the points of its tests, by the policy or by a person.
static double difference(const sl_graded_lab *gl) {
  double more = gl->score;
  SL_EACH_TEST(gl, t) more -= t->r.points;
  return fabs(more) < 1e-6 ? 0 : more;
}

// A line for each lab whose score is not that of its tests; "": there is none.
static const char *differences(sl_arena *a, const sl_submission *s) {
  const char *lines = "";
  SL_EACH_LAB(s, gl)
    if (difference(gl) != 0) lines = sl__str(a, "%s%s %s\n", lines, gl->lab->info->number, gl->lab->title);
  return lines;
}

// Gradescope: results.json ----------------------------------------------------------------------------------

static json_t *gradescope_test(sl_arena *a, const sl_test *t) {
  return json_pack("{s:s, s:s, s:f, s:f, s:s, s:s, s:s, s:s}", "name", t->name, "status",
                   t->r.status == SL_PASS ? "passed" : "failed", "score", t->r.points, "max_score", t->max,
                   "output", output_of(a, t), "output_format", "text", "name_format", "text", "visibility",
                   t->c->visibility == SL_AFTER_DUE ? "after_due_date" : "visible");
}

// Without a score and without tests Gradescope shows that the autograder failed.
static json_t *gradescope(const sl_grading *g, const sl_submission *s, bool errors) {
  json_t *made_by = json_pack("{s:s?}", "made_by", g->course.made_by); // instructors see it
  if (errors)
    return json_pack("{s:s, s:s, s:s, s:o}", "output", broken, "output_format", "text", "stdout_visibility",
                     "hidden", "extra_data", made_by);
  const char *notes = differences(g->arena, s);
  return json_pack("{s:f, s:f, s:s*, s:s, s:s, s:o, s:o}", "score", s->score, "execution_time", seconds_of(s),
                   "output", *notes ? notes : NULL, "output_format", "text", "stdout_visibility", "hidden",
                   "extra_data", made_by, "tests", list_tests(g->arena, s, gradescope_test));
}

// GitHub Classroom: the result of a grading step, before base64 ---------------------------------------------

static json_t *github_test(sl_arena *a, const sl_test *t) {
  return json_pack("{s:s, s:s, s:f, s:s, s:s, s:s, s:i, s:f}", "name", t->name, "status",
                   t->r.status == SL_PASS ? "pass" : "fail", "score", t->r.points, "message", output_of(a, t),
                   "test_code", t->name, "filename", "", "line_no", 0, "duration", t->r.seconds * 1000);
}

// The reporter adds up tests, so the difference between a lab's score and its tests is a test as well.
static json_t *github_tests(sl_arena *a, const sl_submission *s) {
  json_t *tests = list_tests(a, s, github_test);
  SL_EACH_LAB(s, gl) {
    if (sl__apart(s, gl) || difference(gl) == 0) continue;
    const char *name = sl__str(a, "%s: final score", gl->lab->info->number);
    json_array_append_new(tests, json_pack("{s:s, s:s, s:f, s:s, s:s, s:s, s:i, s:f}", "name", name, "status",
                                           "pass", "score", difference(gl), "message", gl->lab->title,
                                           "test_code", name, "filename", "", "line_no", 0, "duration", 0.0));
  }
  return tests;
}

// The reporter passes over what it does not know.
static json_t *github(const sl_grading *g, const sl_submission *s, bool errors) {
  if (errors)
    return json_pack("{s:i, s:s, s:[{s:s, s:s, s:s}]}", "version", 1, "status", "error", "tests", "name",
                     s->name, "status", "error", "message", broken);
  return json_pack("{s:i, s:s, s:f, s:s?, s:o}", "version", 1, "status", s->score >= s->max ? "pass" : "fail",
                   "max_score", s->max, "made_by", g->course.made_by, "tests", github_tests(g->arena, s));
}

// Autolab: feedback, a stage for each part of a lab, and last the autoresult, whose problems are the labs

static json_t *autolab(const sl_grading *, const sl_submission *s, bool errors) {
  json_t *scores = json_object();
  if (errors) return json_decref(scores), json_pack("{s:s}", "error", broken);
  SL_EACH_LAB(s, gl)
    if (!sl__apart(s, gl) && !gl->unscored)
      json_object_set_new(scores, gl->lab->info->name, json_real(gl->score));
  return json_pack("{s:o}", "scores", scores);
}

static json_t *autolab_test(sl_arena *a, const sl_test *t) {
  if (t->r.status == SL_PASS) return json_pack("{s:b}", "passed", 1);
  return json_pack("{s:b, s:s}", "passed", 0, "hint", output_of(a, t));
}

static json_t *autolab_feedback(const sl_grading *g, const sl_submission *s) {
  json_t *stages = json_array(),
         *all = json_pack("{s:s, s:o}", "_presentation", "semantic", "stages", stages);
  SL_EACH_LAB(s, gl)
    SL_EACH_TEST(gl, t) {
      const char *stage = sl__str(g->arena, "%s %s", gl->lab->info->number, t->c->part->id);
      if (!json_object_get(all, stage)) {
        json_array_append_new(stages, json_string(stage));
        json_object_set_new(all, stage, json_object());
      }
      json_object_set_new(json_object_get(all, stage), t->name, autolab_test(g->arena, t));
    }
  if (!g->course.made_by) return all;
  json_array_append_new(stages, json_string("Grader"));
  json_object_set_new(all, "Grader", json_pack("{s:s}", "made by", g->course.made_by));
  return all;
}

// PrairieLearn: results/results.json ------------------------------------------------------------------------

// Without the details: more than 1 MB is refused.
static json_t *prairielearn_test(sl_arena *, const sl_test *t) {
  return json_pack("{s:s, s:f, s:f, s:s}", "name", t->name, "points", t->r.points, "max_points", t->max,
                   "message", t->r.message);
}

static json_t *prairielearn(const sl_grading *g, const sl_submission *s, bool errors) {
  if (errors) return json_pack("{s:b, s:s, s:s}", "gradable", 0, "message", broken, "output", broken);
  const char *notes = differences(g->arena, s);
  return json_pack("{s:b, s:f, s:s, s:s, s:o}", "gradable", 1, "score", s->max > 0 ? s->score / s->max : 0,
                   "message",
                   sl__str(g->arena, "%s of %s points%s%s", sl__points(g->arena, s->score),
                           sl__points(g->arena, s->max), *notes ? "\n" : "", notes),
                   "output", g->course.made_by ? g->course.made_by : "", "tests",
                   list_tests(g->arena, s, prairielearn_test));
}

// All -------------------------------------------------------------------------------------------------------

const char *const sl__platform_names[] = {"gradescope", "github", "autolab", "prairielearn", NULL};
static const struct {
  json_t *(*result)(const sl_grading *, const sl_submission *, bool errors);
  json_t *(*feedback)(const sl_grading *,
                      const sl_submission *); // the line before it, where there is a score
} makers[] = {{gradescope, NULL}, {github, NULL}, {autolab, autolab_feedback}, {prairielearn, NULL}};

// [v] in one line, which Autolab and GitHub ask for; NULL if it is none. Drops it.
static char *line_of(sl_arena *a, json_t *v) {
  SL_FREED char *text = v ? json_dumps(v, 0) : NULL;
  json_decref(v);
  return text ? sl__str(a, "%s\n", text) : NULL;
}

static bool write_platform(const sl_grading *g, int k, const char *path, sl_error *e) {
  const sl_submission *s = &g->subs[0];
  bool errors = has_errors(s);
  const char *result = line_of(g->arena, makers[k].result(g, s, errors));
  const char *feedback = makers[k].feedback && !errors ? line_of(g->arena, makers[k].feedback(g, s)) : "";
  if (!result || !feedback) return sl_json_fault("the results", e);
  const char *all = sl__str(g->arena, "%s%s", feedback, result);
  return sl_write_file(path, all, strlen(all), e);
}

bool sl__write_platforms(const sl_grading *g, const sl_exports *x, sl_error *e) {
  for (int k = 0; k < SL_PLATFORMS; k++)
    if (x->platform[k] && !write_platform(g, k, x->platform[k], e)) return false;
  return true;
}
