// The results as JSON, for other programs.
//
// Interface: sl__results_json gives one object for one submission, an array for a class: {"submission",
// "score", "max", "labs": [{"lab", "score", "max", "edited" (what was changed outside of the TODO regions, if anything), "tests": [{"name", "status", "points", "max", "message",
// "reason", "fields" (docs/reference/verdicts.md), "seconds", "findings" (where there are any), "speed" (of parts of that kind)}]}]}. sl__write_json writes it
// whole or not at all; "-" is stdout.
#include "grade.h"

#include <stdlib.h>
#include <string.h>

static json_t *test_json(const sl_test *t) {
  json_t *findings = json_object_get(t->r.record, "findings");
  json_t *o =
      json_pack("{s:s, s:s, s:s, s:O*, s:f, s:f, s:s, s:f}", "name", t->name, "status",
                sl_status_names[t->r.status], "reason", sl_reason_of(t->r.reason)->id, "fields", t->r.fields,
                "points", t->r.points, "max", t->max, "message", t->r.message, "seconds", t->r.seconds);
  json_t *speed = json_object_get(t->r.record, "speed");
  if (json_array_size(findings)) json_object_set(o, "findings", findings);
  if (speed) json_object_set(o, "speed", speed);
  return o;
}

static json_t *lab_json(const sl_graded_lab *gl) {
  json_t *tests = json_array();
  for (size_t i = 0; i < gl->n_tests; i++) json_array_append_new(tests, test_json(&gl->tests[i]));
  return json_pack("{s:s, s:f, s:f, s:s*, s:o}", "lab", gl->lab->info->name, "score", gl->score, "max",
                   gl->max, "edited", gl->edited, "tests", tests);
}

json_t *sl__submission_json(const sl_grading *g, const sl_submission *s) {
  json_t *labs = json_array();
  for (size_t i = 0; i < s->n_labs; i++) json_array_append_new(labs, lab_json(&s->labs[i]));
  return json_pack("{s:s, s:f, s:f, s:s, s:o}", "submission", s->name, "score", s->score, "max", s->max,
                   "backend", g->course.backend, "labs", labs);
}

json_t *sl__results_json(const sl_grading *g) {
  if (!g->is_class) return sl__submission_json(g, &g->subs[0]);
  json_t *all = json_array();
  for (size_t i = 0; i < g->n; i++) json_array_append_new(all, sl__submission_json(g, &g->subs[i]));
  return all;
}

// Puts into the object of each submission where it comes from. Times are in graded.json: the same results are the same file.
static void explain(json_t *results, json_t *provenance) {
  size_t k;
  json_t *one;
  if (json_is_object(results)) json_object_set(results, "provenance", provenance);
  json_array_foreach(results, k, one) json_object_set(one, "provenance", provenance);
  json_decref(provenance);
}

bool sl__write_json(sl_grading *g, const char *path, sl_error *e) {
  json_t *v = sl__results_json(g);
  explain(v, sl__provenance(g));
  char *text = v ? json_dumps(v, JSON_INDENT(2)) : NULL;
  json_decref(v);
  if (!text) return sl_fail(e, SL_EXIT_INFRA, NULL, "the results could not be put into JSON");
  char *line = sl_path("%s\n", text);
  bool ok;
  if (strcmp(path, "-") == 0)
    ok = (fputs(line, stdout) >= 0 && fflush(stdout) == 0) ||
         sl_fail(e, SL_EXIT_INFRA, NULL, "the results could not be written to stdout");
  else ok = sl_write_file(path, line, strlen(line), e);
  free(line);
  free(text);
  return ok;
}
