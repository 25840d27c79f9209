// The results as JSON, for other programs.
//
// Interface: sl__submission_json gives the object of one submission: {"submission", "score", "max", "labs":
// [{"lab", "score", "max", "edited" (what was changed outside of the TODO regions, if anything), "tests":
// [{"name", "status", "points", "max", "message", "reason" (none of a hidden test), "fields"
// (docs/reference/verdicts.md), "seconds", "findings" (where there are any), "speed" (of parts of that
// kind)}]}]}. sl__write_json writes it, an array of them for a class, whole or not at all; "-" is stdout.
#include "grade.h"

static json_t *test_json(const sl_grading *g, const sl_test *t) {
  json_t *findings = json_object_get(t->r.record, "findings");
  const char *reason = sl__is_concealed(&g->course, t->c) ? NULL : sl_reason_of(t->r.reason)->id;
  json_t *o = json_pack("{s:s, s:s, s:s*, s:O*, s:f, s:f, s:s, s:f}", "name", t->name, "status",
                        sl_status_names[t->r.status], "reason", reason, "fields", t->r.fields, "points",
                        t->r.points, "max", t->max, "message", t->r.message, "seconds", t->r.seconds);
  json_t *speed = json_object_get(t->r.record, "speed");
  if (json_array_size(findings)) json_object_set(o, "findings", findings);
  if (speed) json_object_set(o, "speed", speed);
  return o;
}

static json_t *lab_json(const sl_grading *g, const sl_graded_lab *gl) {
  json_t *tests = json_array();
  SL_EACH_TEST(gl, t) json_array_append_new(tests, test_json(g, t));
  return json_pack("{s:s, s:f, s:f, s:s*, s:o}", "lab", gl->lab->info->name, "score", gl->score, "max",
                   gl->max, "edited", gl->edited, "tests", tests);
}

json_t *sl__submission_json(const sl_grading *g, const sl_submission *s) {
  json_t *labs = json_array();
  SL_EACH_LAB(s, gl) json_array_append_new(labs, lab_json(g, gl));
  return json_pack("{s:s, s:f, s:f, s:s, s:o}", "submission", s->name, "score", s->score, "max", s->max,
                   "backend", g->course.backend, "labs", labs);
}

// Each submission's object says where it comes from. Times are in graded.json: same results, same file.
static bool write_one(const sl_grading *g, const sl_submission *s, json_t *provenance, FILE *f, sl_error *e) {
  json_auto_t *o = sl__submission_json(g, s);
  json_object_set(o, "provenance", provenance);
  bool ok = o != NULL && (json_dumpf(o, f, JSON_INDENT(2)) == 0 || ferror(f));
  return ok || sl_json_fault("the results", e);
}

// An array for a class, with one submission in memory at a time.
static bool write_all(sl_grading *g, FILE *f, sl_error *e) {
  json_auto_t *provenance = sl__provenance(g);
  bool ok = true;
  if (g->is_class) fputs("[\n", f);
  for (size_t i = 0; ok && i < g->n && !ferror(f); i++) {
    ok = write_one(g, &g->subs[i], provenance, f, e);
    fputs(i + 1 < g->n ? ",\n" : "\n", f);
  }
  if (g->is_class) fputs("]\n", f);
  return ok;
}

bool sl__write_json(sl_grading *g, const char *path, sl_error *e) {
  sl_whole_file s;
  if (!strcmp(path, "-"))
    return write_all(g, stdout, e) &&
           ((fflush(stdout) == 0 && !ferror(stdout)) ||
            sl_fail(e, SL_EXIT_INFRA, NULL, "the results could not be written to stdout"));
  return sl__whole_open(&s, path, e) && sl__whole_close(&s, write_all(g, s.f, e), e);
}
