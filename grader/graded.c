// What a grading leaves for the gradebook: one file a submission, with everything that explains its scores.
//
// Interface: sl__write_graded writes OUT/graded.json of a submission: the results (results.c) and, beside
// them, where they come from (sl__provenance), when they were made, the hash of each kernel.cu, and for each
// test its part, its seed, the details of its message and the device. Times are UTC. The gradebook (book/)
// reads these files and nothing else of the results.
#include "grade.h"

#include "gpu/start/schedule.h"
#include "jail/sandbox.h"

#ifndef SL_VERSION
#define SL_VERSION "dev"
#endif

char *sl__utc(sl_arena *a, time_t t) {
  char text[32] = "";
  struct tm parts;
  if (gmtime_r(&t, &parts)) strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return sl__str(a, "%s", text);
}

// The commit of the course's tree, "-dirty" behind it if files differ. NULL: git does not know the tree.
static const char *commit_of(sl_arena *a, const char *root) {
  SL_FREED char *out = NULL;
  sl_exit_status end =
      sl_run(SL_ARGV("git", "-C", root, "describe", "--always", "--dirty", "--exclude=*", "--abbrev=40"),
             NULL, 20, 200, &out, NULL);
  size_t hex = out ? strspn(out, "0123456789abcdef") : 0;
  return end.code == 0 && hex == 40 ? sl__str(a, "%.*s", (int)strcspn(out, "\n"), out) : NULL;
}

json_t *sl__provenance(sl_grading *g) {
  const sl_course *c = &g->course;
  char key[SL_KEY_ID];
  sl__key_id(c->store_key, key);
  const char *schedule = getenv(SL_SCHEDULE_ENV);
  return json_pack("{s:s, s:s?, s:s, s:s, s:s, s:s, s:s?}", "version", SL_VERSION, "commit",
                   commit_of(g->arena, c->root), "tools", c->tools_hash, "key", key, "sandbox",
                   sl_sandbox_name(sl_sandbox_find(), sl_sandbox_apart()), "backend", c->backend, "schedule",
                   schedule);
}

const char *sl__provenance_line(sl_grading *g, const json_t *provenance) {
  static const char *const keys[] = {"version", "commit", "key", "sandbox", "backend", "schedule"};
  const char *line = "scanlab";
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    const char *value = json_string_value(json_object_get(provenance, keys[k]));
    if (value)
      line = sl__str(g->arena, "%s%s%s %s", line, k ? ", " : "", k ? keys[k] : "", sl__safe(g->arena, value));
  }
  return sl__str(g->arena, "%s, from %s to %s", line, sl__utc(g->arena, g->course.started),
                 sl__utc(g->arena, time(NULL)));
}

// Adds what explains a result to its object in the results.
static void explain_test(json_t *o, const sl_test *t) {
  const json_t *record = t->r.record, *speed = json_object_get(record, "speed");
  json_t *device = json_object_get(json_object_get(speed, "device_before"), "name");
  json_object_set_new(o, "part", json_string(t->c->part->id));
  json_object_set_new(o, "detail", json_string(t->r.detail));
  json_object_set(o, "seed", json_object_get(record, "seed"));
  json_object_set(o, "hint", json_object_get(record, "hint"));
  json_object_set_new(o, "visibility", json_string(sl_audience_names[t->c->visibility]));
  if (device) json_object_set(o, "device", device);
}

static void explain_lab(json_t *o, const sl_graded_lab *gl) {
  json_object_set_new(o, "sha256", *gl->hash ? json_string(gl->hash) : json_null());
  json_object_set_new(o, "absent", json_boolean(gl->absent));
  json_object_set_new(o, "problem", gl->problem ? json_string(gl->problem) : json_null());
  json_object_set_new(o, "lab_json", json_string(gl->json_hash));
  for (size_t k = 0; k < gl->n_tests; k++)
    explain_test(json_array_get(json_object_get(o, "tests"), k), &gl->tests[k]);
}

bool sl__write_graded(sl_grading *g, const sl_submission *s, const json_t *provenance, sl_error *e) {
  json_t *o = sl__submission_json(g, s);
  json_object_set_new(o, "format", json_integer(1));
  json_object_set_new(o, "started", json_string(sl__utc(g->arena, g->course.started)));
  json_object_set_new(o, "ended", json_string(sl__utc(g->arena, time(NULL))));
  json_object_set_new(o, "provenance", json_deep_copy(provenance));
  for (size_t i = 0; i < s->n_labs; i++)
    explain_lab(json_array_get(json_object_get(o, "labs"), i), &s->labs[i]);
  return sl_json_write(sl_write_file, sl__str(g->arena, "%s/graded.json", s->out), o, JSON_INDENT(1), e);
}
