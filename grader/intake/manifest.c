// The manifest of a class: who handed in what and when, with the hash of each kernel, and what was not taken.
//
// Interface: sl__write_manifest writes OUT/manifest.json. Other commands read it (the gradebook, the
// exports): fields may be added to it; those that are there keep their meaning.
#include "intake/intake.h"

enum { MAX_TOLD = 20 };

static const char *const status_names[] = {[SL_TAKEN] = "taken",
                                           [SL_TAKEN_ABSENT] = "absent",
                                           [SL_TAKEN_UNREADABLE] = "unreadable",
                                           [SL_TAKEN_UNKNOWN] = "unknown"};

// Names and paths as they came need not be UTF-8, which JSON is.
static json_t *text(sl_arena *a, const char *s) { return s ? json_string(sl__safe(a, s)) : json_null(); }

static const char *below(const char *path, const char *root) {
  size_t n = strlen(root);
  return !strncmp(path, root, n) && path[n] == '/' ? path + n + 1 : path;
}

static json_t *kernel_json(sl_grading *g, const sl_submission *s, const sl_graded_lab *gl) {
  return json_pack("{s:s, s:o, s:s, s:o, s:o, s:o}", "lab", gl->lab->info->name, "path",
                   text(g->arena, below(gl->kernel, s->root)), "sha256", gl->hash, "misplaced",
                   text(g->arena, gl->misplaced), "same_as", text(g->arena, gl->twin), "edited",
                   text(g->arena, gl->edited));
}

static json_t *kernels_json(sl_grading *g, const sl_submission *s) {
  json_t *list = json_array();
  SL_EACH_LAB(s, gl)
    if (*gl->hash) json_array_append_new(list, kernel_json(g, s, gl));
  return list;
}

static json_t *refused_json(sl_arena *a, const sl_refused *list, size_t n) {
  json_t *out = json_array();
  for (size_t i = 0; i < n && i < MAX_TOLD; i++)
    json_array_append_new(
        out, json_pack("{s:o, s:o}", "path", text(a, list[i].path), "reason", text(a, list[i].why)));
  return out;
}

static json_t *student_json(sl_grading *g, const sl_submission *s) {
  const sl_intake *in = &s->in;
  return json_pack("{s:s, s:o, s:o, s:o, s:b, s:o, s:s, s:o, s:o, s:o}", "student", s->name, "name",
                   text(g->arena, in->full), "source", text(g->arena, in->source), "handed_in",
                   text(g->arena, in->handed_in), "late", in->late, "commit", text(g->arena, in->commit),
                   "status", status_names[in->status], "reason", text(g->arena, in->reason), "kernels",
                   kernels_json(g, s), "not_taken", refused_json(g->arena, in->refused, in->n_refused));
}

bool sl__write_manifest(sl_grading *g, sl_error *e) {
  json_t *students = json_array(), *from = sl__provenance(g);
  SL_EACH_SUB(g, s) json_array_append_new(students, student_json(g, s));
  json_t *all = json_pack("{s:i, s:{s:O, s:O}, s:O, s:s, s:o, s:o, s:o}", "version", 1, "course", "version",
                          json_object_get(from, "version"), "commit", json_object_get(from, "commit"), "key",
                          json_object_get(from, "key"), "taken", sl__utc(g->arena, g->course.started),
                          "deadline", text(g->arena, g->course.deadline), "students", students, "left_out",
                          refused_json(g->arena, g->left_out, g->n_left_out));
  json_decref(from);
  return sl_json_write(sl_write_file, sl__str(g->arena, "%s/manifest.json", g->course.out), all,
                       JSON_INDENT(1), e);
}
