// Makes the list of tests that a submission is expected to answer, from the course's lab.json alone.
//
// Interface: sl__load_labs reads the lab descriptions (all, or the chosen ones); sl__plan gives a submission
// labs and tests in lab.json's order; sl__test_key hashes everything that a test's result depends on.
#include "grade.h"

static bool has_speed(const sl_lab *lab) {
  for (size_t k = 0; k < lab->n_parts; k++)
    if (lab->parts[k].kind == SL_PART_SPEED) return true;
  return false;
}

// The solution of [lab], which speed is compared with on a real GPU; NULL if the course has none.
static const char *find_solution(sl_grading *g, const sl_lab *lab) {
  const char *kernel = sl__str(g->arena, "%s/solutions/%s/kernel.cu", g->course.root, lab->info->name);
  bool compared = !strcmp(g->course.backend, "gpu") && has_speed(lab);
  if (!compared || sl_is_file(kernel)) return compared ? kernel : NULL;
  fprintf(stderr,
          "lab %s: there is no reference solution to time (%s): speed is judged on the simulated GPU\n",
          lab->info->number, kernel);
  return NULL;
}

// The hash of all that says what is right in a lab: lab.json, and its own reference, if it has one.
static bool hash_lab(sl_grading *g, const sl_lab_info *info, const char *json, char hash[SL_HEX256],
                     sl_error *e) {
  char right[SL_HEX256];
  if (!sl__hash_file(json, hash, e) || !info->own) return !e->code;
  SL_FREED char *library = sl_tool_path(sl__str(g->arena, "../lib/sl_reference_%s.so", info->number));
  if (!sl__hash_file(library, right, e)) return e->code = SL_EXIT_INFRA, false;
  const char *both = sl__str(g->arena, "%s %s", hash, right);
  sl__hash(both, strlen(both), hash);
  return true;
}

// The description of a lab, with what an overlay says of it. NULL: with [e].
static const char *description_of(sl_grading *g, const sl_lab_info *info, sl_error *e) {
  return sl__overlay_lab(g, info, sl__str(g->arena, "%s/labs/%s/lab.json", g->course.root, info->name), e);
}

static bool load_lab(sl_grading *g, const sl_lab_info *info, sl_error *e) {
  sl_course *c = &g->course;
  const char *path = description_of(g, info, e);
  sl_lab *lab = path ? sl_lab_load(path, e) : NULL;
  if (!lab) return false;
  c->labs[c->n_labs].lab = lab;
  c->labs[c->n_labs].json = path;
  c->labs[c->n_labs].solution = find_solution(g, lab);
  return hash_lab(g, info, path, c->labs[c->n_labs++].hash, e);
}

static bool is_chosen(const sl_strings *chosen, const sl_lab_info *info, sl_error *e) {
  for (size_t i = 0; i < chosen->n; i++)
    if (sl_lab_find(chosen->at[i], e) == info) return true;
  return chosen->n == 0 && !info->own; // optional labs are graded when they are asked for
}

// An overlay is refused also for what it says of labs that are graded another time.
static bool load_chosen(sl_grading *g, const sl_lab_info *info, const sl_strings *chosen, sl_error *e) {
  for (; info->name; info++)
    if (!(is_chosen(chosen, info, e) ? load_lab(g, info, e) : description_of(g, info, e) != NULL)) {
      if (e->code == SL_EXIT_INPUT && !g->course.overlay)
        e->code = SL_EXIT_INFRA; // the course is at fault, not the student
      return false;
    }
  return true;
}

bool sl__load_labs(sl_grading *g, const sl_strings *chosen, sl_error *e) {
  for (size_t i = 0; i < chosen->n; i++)
    if (!sl_lab_find(chosen->at[i], e)) return false;
  return load_chosen(g, sl_labs, chosen, e) && load_chosen(g, sl_own_labs, chosen, e);
}

static bool runs_on(const sl_case *c, const char *backend, const char *solution) {
  return sl_case_runs_on(c, backend) && (c->part->kind != SL_PART_SPEED || solution);
}

bool sl__is_on_gpu(const sl_test *t) { return !strcmp(t->backend, "gpu"); }

static void plan_test(sl_grading *g, const sl_graded_lab *gl, sl_test *t, const sl_case *c,
                      const char *backend) {
  t->c = c;
  t->backend = backend;
  t->max = c->points;
  sl_test_name(gl->lab, c, backend, t->name, sizeof t->name);
  sl__set_result(g->arena, t, SL_ERROR, SL_REASON_NOT_RUN, NULL);
}

// A real GPU shows results alone. The simulated one also tells whether a kernel overruns memory, or keeps
// it, or computes all in one thread, so every test of results that runs on a real GPU runs there as well.
static void plan_simulated(sl_grading *g, sl_graded_lab *gl) {
  gl->n_run = gl->n_tests;
  SL_EACH_TEST(gl, t) {
    if (!sl__is_on_gpu(t) || t->c->part->kind != SL_PART_CORRECT) continue;
    t->simulated = &gl->tests[gl->n_run++];
    plan_test(g, gl, t->simulated, t->c, "sim");
  }
}

static void make_tests(sl_grading *g, sl_graded_lab *gl, const char *solution) {
  size_t n = 0;
  for (size_t p = 0; p < gl->lab->n_parts; p++) n += gl->lab->parts[p].n_cases;
  const bool twice = !strcmp(g->course.backend, "gpu"); // room for what plan_simulated adds
  gl->tests = sl__alloc(g->arena, ((twice ? 2 : 1) * n + 1) * sizeof *gl->tests);
  for (size_t p = 0; p < gl->lab->n_parts; p++) {
    const sl_part *part = &gl->lab->parts[p];
    for (size_t k = 0; k < part->n_cases; k++) {
      const sl_case *c = &part->cases[k];
      plan_test(g, gl, &gl->tests[gl->n_tests++], c,
                runs_on(c, g->course.backend, solution) ? g->course.backend : "sim");
      gl->max += c->points;
    }
  }
  plan_simulated(g, gl);
}

// All who handed in nothing for a lab share its tests, which are the same for each: a roster has thousands.
static void plan_lab(sl_grading *g, sl_graded_lab *gl, sl_course_lab *from) {
  gl->shared = gl->absent && from->absent;
  if (gl->shared) {
    gl->tests = from->absent->tests, gl->n_tests = from->absent->n_tests, gl->n_run = from->absent->n_run;
    return;
  }
  make_tests(g, gl, from->solution);
  if (gl->absent) from->absent = gl;
}

void sl__plan(sl_grading *g, sl_submission *s) {
  sl_course *c = &g->course;
  s->labs = sl__alloc(g->arena, (c->n_labs + 1) * sizeof *s->labs);
  for (size_t i = 0; i < c->n_labs; i++) {
    sl_graded_lab *gl = &s->labs[s->n_labs++];
    gl->lab = c->labs[i].lab;
    gl->json = c->labs[i].json;
    memcpy(gl->json_hash, c->labs[i].hash, SL_HEX256);
    sl__inspect_kernel(g->arena, s->dir, gl->lab->info->name, gl);
    if (gl->problem && gl->why == SL_REASON_HANDED_IN_NOTHING) sl__place_kernel(g, s, gl);
    else if (!gl->problem) sl__name_others(g, s, gl);
  }
  sl__name_unplaced(g->arena, s);
  for (size_t i = 0; i < c->n_labs; i++) plan_lab(g, &s->labs[i], &c->labs[i]);
}

void sl__test_key(const sl_course *c, const sl_graded_lab *gl, sl_test *t) {
  char all[1024];
  int len = snprintf(all, sizeof all, "1|%s|%s|%s|%s|%s|%s|%s%s", t->name, gl->json_hash, gl->hash,
                     gl->runner_hash, gl->reference_hash, c->tools_hash, c->data ? c->data : "",
                     sl__is_concealed(c, t->c) ? "|concealed" : "");
  sl__hash(all, (size_t)len < sizeof all ? (size_t)len : sizeof all - 1, t->key);
}
