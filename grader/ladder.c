// Runs the judge over a ladder of sizes, one case at a time so that times do not disturb each other.
//
// Interface: sl__measure (ladder.h). The judge is given a lab description with the ladder as its cases,
// written to OUT/plots/ladder. Measurements are kept in OUT/plots/measured.json by the hash of the programs.
#include "ladder.h"

enum { REPEATS = 5, LIMIT = 180 };

// The greatest k with 2^k <= n, which is [most] if n is larger.
#define LOG2(n, most) ((n) >> (most) ? (most) : 63 - __builtin_clzll(n))

const sl_curve sl__curves[] = {
#define SL_LAB(number, name, title, signature, entry, sort, type, kind, max_n, adds_from)                    \
  {#number, #number " " title, #number, "", 4, LOG2(max_n, 16), LOG2(max_n, 24), adds_from},
#include "scanlab/labs.def"
    {"06sort", "06 radix sort", "06", "\"entry\": \"sort\", \"bits\": 4, \"dist\": \"uniform\", ", 4, 16, 24,
     0},
    {0}};

// The ladder of one curve as a lab description --------------------------------------------------------------

static int last_of(const sl_curve *c, const char *backend) {
  return strcmp(backend, "gpu") ? c->last : c->last_gpu;
}

static const char *write_ladder(sl_grading *g, const sl_submission *s, const sl_curve *c, const sl_lab *lab,
                                sl_error *e) {
  sl_arena *a = g->arena;
  char *sizes = sl__str(a, "%u", 1u << c->first);
  for (int k = c->first + 1; k <= last_of(c, g->course.backend); k++)
    sizes = sl__str(a, "%s, %u", sizes, 1u << k);
  const char *text = sl__str(
      a,
      "{ \"lab\": \"%s\", \"title\": \"ladder\", \"file\": \"kernel.cu\", \"points\": 1, \"parts\": [\n"
      "  { \"id\": \"ladder\", \"title\": \"ladder\", \"points\": 1, \"kind\": \"correct\",\n"
      "    \"defaults\": { %s\"seed\": 900, \"timeout\": %d },\n"
      "    \"cases\": [ { \"id\": \"n{n}\", \"n\": [%s] } ] } ] }\n",
      lab->info->name, c->fields, LIMIT, sizes);
  const char *path = sl__str(a, "%s/plots/ladder/%s.json", s->out, c->id);
  return sl_write_file(path, text, strlen(text), e) ? path : NULL;
}

// One point -------------------------------------------------------------------------------------------------

static json_t *run_judge(sl_grading *g, const sl_graded_lab *gl, const char *ladder, const char *backend,
                         const char *which) {
  SL_FREED char *record = sl_path("%s.record", ladder);
  char repeats[16];
  snprintf(repeats, sizeof repeats, "%d", strcmp(backend, "gpu") ? 0 : REPEATS);
  const char *argv[] = {g->course.judge, "--lab",     ladder,      "--case",  which,
                        "--runner",      gl->runner,  "--backend", backend,   "--record",
                        record,          "--repeats", repeats,     "--count", NULL};
  unlink(record);
  sl_error e = {0};
  sl_exit_status end = sl_run_by_work((char *const *)argv, NULL, LIMIT + 60, 4096, NULL, &e);
  json_t *v = end.code == 0 ? sl_json_read(record, 16 << 20, NULL) : NULL;
  unlink(record);
  return v;
}

static double measured_number(const json_t *v, const char *group, const char *key) {
  return json_number_value(json_object_get(group ? json_object_get(v, group) : v, key));
}

// With a real GPU the counters come from a second run, on the simulator: a GPU has none. Without one the time
// is the model's: what the simulation takes on a host says nothing.
static json_t *measure_point(sl_grading *g, const sl_graded_lab *gl, const sl_curve *c, const char *ladder,
                             int k) {
  const char *backend = g->course.backend, *which = sl__str(g->arena, "ladder.n%u", 1u << k);
  json_t *timed = run_judge(g, gl, ladder, backend, which), *counted = timed;
  const bool gpu = strcmp(backend, "gpu") == 0;
  if (gpu) counted = k <= c->last ? run_judge(g, gl, ladder, "sim", which) : NULL;
  json_t *p = NULL;
  if (timed)
    p = json_pack("{s:i, s:f, s:f, s:f, s:f, s:O*}", "n", 1 << k, "ms",
                  gpu ? measured_number(timed, "times_ms", "median")
                      : measured_number(timed, NULL, "model_ms"),
                  "reference_ms", gpu ? measured_number(timed, NULL, "reference_ms") : 0.0, "adds",
                  measured_number(counted, "counters", "adds"), "instructions",
                  measured_number(counted, "counters", "thread_instructions"), "phases",
                  json_object_get(counted, "phases"));
  if (counted != timed) json_decref(counted);
  json_decref(timed);
  return p;
}

static bool gives_right_results(const sl_graded_lab *gl) {
  bool any = false;
  SL_EACH_TEST(gl, t) {
    if (t->c->part->kind != SL_PART_CORRECT) continue;
    if (t->r.status != SL_PASS) return false;
    any = true;
  }
  return any;
}

static const sl_graded_lab *lab_of(const sl_submission *s, const sl_curve *c) {
  SL_EACH_LAB(s, gl)
    if (strcmp(gl->lab->info->number, c->lab) == 0 && gives_right_results(gl)) return gl;
  return NULL;
}

static json_t *measure_curve(sl_grading *g, const sl_submission *s, const sl_curve *c, sl_progress *p,
                             sl_error *e) {
  const sl_graded_lab *gl = lab_of(s, c);
  const char *ladder = gl ? write_ladder(g, s, c, gl->lab, e) : NULL;
  json_t *points = json_array();
  for (int k = c->first; ladder && k <= last_of(c, g->course.backend); k++) {
    json_t *point = measure_point(g, gl, c, ladder, k);
    if (point) json_array_append_new(points, point);
    sl__progress_step(p, c->title);
  }
  return points;
}

// All of them -----------------------------------------------------------------------------------------------

static void key_of(const sl_grading *g, const sl_submission *s, char key[SL_HEX256]) {
  char *all = sl__str(g->arena, "2 %s", g->course.tools_hash);
  for (const sl_curve *c = sl__curves; c->id; c++) {
    const sl_graded_lab *gl = lab_of(s, c);
    all = sl__str(g->arena, "%s|%s %s %s %d %d", all, c->id, gl ? gl->runner_hash : "", c->fields, c->first,
                  last_of(c, g->course.backend));
  }
  sl__hash(all, strlen(all), key);
}

static json_t *kept(const char *path, const char *key) {
  json_t *v = sl_json_read(path, 64 << 20, NULL), *curves = NULL;
  const char *have = json_string_value(json_object_get(v, "key"));
  if (have && strcmp(have, key) == 0) curves = json_incref(json_object_get(v, "curves"));
  json_decref(v);
  return curves;
}

static bool keep_curves(const char *path, const char *key, json_t *curves, sl_error *e) {
  json_t *v = json_pack("{s:s, s:O}", "key", key, "curves", curves);
  return sl_json_write(sl_write_file, path, v, JSON_INDENT(1), e);
}

static size_t count_points(const sl_grading *g, const sl_submission *s) {
  size_t n = 0;
  for (const sl_curve *c = sl__curves; c->id; c++)
    if (lab_of(s, c)) n += (size_t)(last_of(c, g->course.backend) - c->first + 1);
  return n;
}

json_t *sl__measure(sl_grading *g, const sl_submission *s, sl_error *e) {
  char key[SL_HEX256];
  key_of(g, s, key);
  const char *path = sl__str(g->arena, "%s/plots/measured.json", s->out);
  if (!sl_mkdirs(sl__str(g->arena, "%s/plots/ladder", s->out), e)) return NULL;
  json_t *curves = g->course.fresh ? NULL : kept(path, key);
  if (curves) return curves;
  sl_progress p;
  sl__progress_start(&p, "measuring", count_points(g, s), g->course.terminal);
  curves = json_object();
  for (const sl_curve *c = sl__curves; c->id && !e->code; c++)
    json_object_set_new(curves, c->id, measure_curve(g, s, c, &p, e));
  sl__progress_end(&p);
  if (!e->code && keep_curves(path, key, curves, e)) return curves;
  json_decref(curves);
  return NULL;
}
