// What a class's results say when they are taken together.
//
// Interface: sl__hardest_tests, sl__common_findings: lists, the most frequent first, no more than two tests
// of a part before the others. A test counts for those whose kernel could be read: it says nothing of a file
// in a wrong place. A finding counts once a student, however many tests show it.
#include "html.h"

static double share(const sl_class_count *c) { return (double)c->students / (double)c->of; }

static int by_share(const void *a, const void *b) {
  const sl_class_count *x = a, *y = b;
  double d = share(y) - share(x);
  if (d != 0) return d > 0 ? 1 : -1;
  return x->students != y->students ? (x->students < y->students ? 1 : -1) : strcmp(x->name, y->name);
}

static bool has_kernel(const sl_graded_lab *gl) { return !gl->absent && *gl->hash; }

// The result of the test if the student [i] has lost it; else NULL.
static const sl_result *lost(const sl_grading *g, size_t i, size_t lab, size_t test) {
  const sl_graded_lab *gl = &g->subs[i].labs[lab];
  return has_kernel(gl) && gl->tests[test].r.status == SL_FAIL ? &gl->tests[test].r : NULL;
}

// The message of most who lost the test: the commonest one of the commonest reason, the first of several.
static const char *usual_message(const sl_grading *g, size_t lab, size_t test) {
  size_t count[SL_REASON_COUNT] = {0}, most = 0;
  const char *said = "";
  const sl_result *x, *y;
  for (size_t i = 0; i < g->n; i++)
    if ((x = lost(g, i, lab, test))) count[x->reason]++;
  sl_reason best = 0;
  for (size_t k = 1; k < SL_REASON_COUNT; k++)
    if (count[k] > count[best]) best = (sl_reason)k;
  for (size_t i = 0; i < g->n; i++) {
    size_t same = 0;
    if (!(x = lost(g, i, lab, test)) || x->reason != best || !strcmp(said, x->message)) continue;
    for (size_t k = i; k < g->n; k++)
      same += (y = lost(g, k, lab, test)) && y->reason == best && !strcmp(x->message, y->message);
    if (same > most) most = same, said = x->message;
  }
  return said;
}

static sl_class_count count_test(const sl_grading *g, size_t lab, size_t test) {
  const sl_graded_lab *first = &g->subs[0].labs[lab];
  sl_class_count c = {.name = first->tests[test].name, .labs = first->lab->info->number};
  for (size_t i = 0; i < g->n; i++) {
    c.of += has_kernel(&g->subs[i].labs[lab]);
    c.students += lost(g, i, lab, test) != NULL;
  }
  c.text = c.students ? usual_message(g, lab, test) : "";
  return c;
}

// Two tests of one part of a lab: "05.deep.a.sim" and "05.deep.b.sim".
static bool same_part(const char *a, const char *b) {
  const char *dot = strchr(a, '.'), *end = dot ? strchr(dot + 1, '.') : NULL;
  return end && !strncmp(a, b, (size_t)(end - a) + 1);
}

// Puts the two hardest tests of each part first, so that a part whose tests all fail does not fill the list.
static void spread_parts(sl_arena *a, sl_class_count *list, size_t n) {
  enum { OF_A_PART = 2 };
  sl_class_count *sorted = sl__alloc(a, (n + 1) * sizeof *sorted);
  size_t at = 0;
  for (int first = 1; first >= 0; first--)
    for (size_t i = 0; i < n; i++) {
      size_t before = 0;
      for (size_t k = 0; k < i; k++) before += same_part(list[i].name, list[k].name);
      if ((before < OF_A_PART) == first) sorted[at++] = list[i];
    }
  memcpy(list, sorted, n * sizeof *sorted);
}

size_t sl__hardest_tests(const sl_grading *g, sl_class_count *out[]) {
  size_t n = 0;
  *out = NULL;
  for (size_t i = 0; g->n && i < g->course.n_labs; i++)
    for (size_t k = 0; k < g->subs[0].labs[i].n_tests; k++) {
      sl_class_count c = count_test(g, i, k);
      if (!c.students) continue;
      *out = sl__more(g->arena, *out, n, sizeof **out);
      (*out)[n++] = c;
    }
  if (n) qsort(*out, n, sizeof **out, by_share);
  if (n) spread_parts(g->arena, *out, n);
  return n;
}

// Findings --------------------------------------------------------------------------------------------------

typedef struct tally {
  sl_arena *a;
  sl_class_count *list;
  size_t n;
} tally;

static void note_finding(tally *t, const json_t *finding, size_t student, const char *lab) {
  const char *id = json_string_value(json_object_get(finding, "id")),
             *text = json_string_value(json_object_get(finding, "text"));
  sl_class_count *c = NULL;
  if (!id) return;
  for (size_t k = 0; k < t->n; k++)
    if (!strcmp(t->list[k].name, id)) c = &t->list[k];
  if (!c) {
    t->list = sl__more(t->a, t->list, t->n, sizeof *t->list);
    c = &t->list[t->n++];
    const char *line = text ? sl__str(t->a, "%.*s", (int)strcspn(text, "\n"), text) : "";
    *c = (sl_class_count){
        .name = sl__safe(t->a, id), .text = sl__safe(t->a, line), .labs = "", .last = SIZE_MAX};
  }
  if (!strstr(c->labs, lab)) c->labs = sl__str(t->a, "%s%s%s", c->labs, *c->labs ? ", " : "", lab);
  c->students += c->last != student;
  c->last = student;
}

size_t sl__common_findings(const sl_grading *g, sl_class_count *out[]) {
  tally t = {.a = g->arena};
  for (size_t i = 0; i < g->n; i++)
    SL_EACH_LAB(&g->subs[i], gl) {
      SL_EACH_TEST(gl, test) {
        size_t at;
        json_t *finding;
        json_array_foreach(json_object_get(test->r.record, "findings"), at, finding)
          note_finding(&t, finding, i, gl->lab->info->number);
      }
    }
  for (size_t k = 0; k < t.n; k++) t.list[k].of = g->n;
  if (t.n) qsort(t.list, t.n, sizeof *t.list, by_share);
  *out = t.list;
  return t.n;
}
