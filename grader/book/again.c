// Gradings out of the book as the grader has them: reports and exports of the grader take them.
//
// Interface: sl__again makes a submission of a student: of each lab the grading that counts, with its tests.
// The scores of labs and of the whole are the final ones, and each lab's title says what made them differ
// from raw. The student learns no input of a hidden case, also after --reveal.
#include "book.h"

// The lab as the course describes it now, for its titles; NULL: it has none of this name any more.
static sl_lab *course_lab(const char *name) {
  SL_FREED char *path = sl_path("%s/labs/%s/lab.json", sl_course_root(), name);
  sl_error e = {0};
  return sl_is_file(path) ? sl_lab_load(path, &e) : NULL;
}

static void take_part_titles(sl_book *b, sl_lab *lab, const sl_lab *course) {
  for (size_t k = 0; k < lab->n_parts; k++)
    for (size_t i = 0; course && i < course->n_parts; i++)
      if (!strcmp(lab->parts[k].id, course->parts[i].id))
        lab->parts[k].title = sl__safe(b->a, course->parts[i].title);
}

static const char *title_of(sl_book *b, const sl_final *f, const char *title) {
  if (f->penalty > 0)
    title = sl__str(b->a, "%s: %s, %s less for %lld day%s late", title, sl__points(b->a, f->raw),
                    sl__points(b->a, f->penalty), (long long)f->days_late, sl_plural(f->days_late));
  if (f->override_reason)
    title = sl__str(b->a, "%s (set by %s: %s)", title, f->override_who, f->override_reason);
  return sl__safe(b->a, title);
}

static sl_part *part_of(sl_book *b, sl_lab *lab, const char *id) {
  for (size_t k = 0; k < lab->n_parts; k++)
    if (!strcmp(lab->parts[k].id, id)) return &lab->parts[k];
  sl_part *p = &lab->parts[lab->n_parts++];
  snprintf(p->id, sizeof p->id, "%s", id);
  p->title = sl__safe(b->a, id);
  return p;
}

static json_t *findings_of(sl_book *b, int64_t grading, int64_t place, sl_error *e) {
  json_t *list = json_array();
  sqlite3_stmt *st =
      sl__query(b, e, "SELECT everything FROM findings WHERE grading = ? AND place = ? ORDER BY nr", "ii",
                grading, place);
  while (sl__next(b, st, e)) {
    json_t *one = json_loads((const char *)sqlite3_column_text(st, 0), 0, NULL);
    if (one) json_array_append_new(list, one);
  }
  return list;
}

static json_t *parsed(sqlite3_stmt *st, int column) {
  const char *text = (const char *)sqlite3_column_text(st, column);
  return text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
}

static sl_audience audience_of(const char *name) {
  for (int k = 0; name && sl_audience_names[k]; k++)
    if (!strcmp(name, sl_audience_names[k])) return (sl_audience)k;
  return SL_PUBLIC;
}

enum {
  NAME,
  PART,
  STATUS,
  POINTS,
  MAX,
  SECONDS,
  SEED,
  REASON,
  FIELDS,
  MESSAGE,
  DETAIL,
  SPEED,
  AUDIENCE,
  PLACE
};
#define COLUMNS                                                                                              \
  "name, coalesce(part, ''), status, points, max, seconds, seed, reason, fields, message, coalesce(detail, " \
  "''), speed, audience, place"

// The case of the test [name], "01.scan.n64.sim": "n64".
static void take_case_id(sl_case *c, const char *name, const char *part) {
  SL_FREED char *begin = sl_path("%.2s.%s.", name, part);
  const char *from = name + strlen(begin), *end = strrchr(name, '.');
  bool ok = !strncmp(name, begin, strlen(begin)) && end > from;
  snprintf(c->id, sizeof c->id, "%.*s", ok ? (int)(end - from) : 0, from);
}

static void take_test(sl_book *b, sqlite3_stmt *st, int64_t grading, sl_lab *lab, sl_test *t, sl_error *e) {
  sl_case *c = sl__alloc(b->a, sizeof *c);
  sl_part *part = part_of(b, lab, sl__text(b, st, PART));
  json_t *speed = parsed(st, SPEED);
  take_case_id(c, sl__text(b, st, NAME), part->id);
  c->part = part, c->visibility = audience_of(sl__text(b, st, AUDIENCE));
  snprintf(t->name, sizeof t->name, "%s", sl__text(b, st, NAME));
  t->c = c, t->max = sqlite3_column_double(st, MAX);
  t->r = (sl_result){.status = sl_status_find(sl__text(b, st, STATUS)),
                     .points = sqlite3_column_double(st, POINTS),
                     .seconds = sqlite3_column_double(st, SECONDS),
                     .reason = SL_REASON_COUNT,
                     .fields = parsed(st, FIELDS),
                     .message = sl__safe(b->a, sl__text(b, st, MESSAGE)),
                     .detail = sl__safe_lines(b->a, sl__text(b, st, DETAIL))};
  t->r.record =
      json_pack("{s:o, s:I, s:o*}", "findings", findings_of(b, grading, sqlite3_column_int64(st, PLACE), e),
                "seed", (json_int_t)sqlite3_column_int64(st, SEED), "speed", speed);
  part->points += t->max;
  if (speed) part->kind = SL_PART_SPEED;
}

static void take_tests(sl_book *b, int64_t grading, sl_lab *lab, sl_graded_lab *gl, sl_error *e) {
  int64_t n = sl__value(b, e, "SELECT count(*) FROM tests WHERE grading = ?", "i", grading);
  gl->tests = sl__alloc(b->a, (size_t)(n + 1) * sizeof *gl->tests);
  lab->parts = sl__alloc(b->a, (size_t)(n + 1) * sizeof *lab->parts);
  sqlite3_stmt *st =
      sl__query(b, e, "SELECT " COLUMNS " FROM tests WHERE grading = ? ORDER BY place", "i", grading);
  while (sl__next(b, st, e)) take_test(b, st, grading, lab, &gl->tests[gl->n_tests++], e);
}

static const char *edited_of(sl_book *b, int64_t grading, sl_error *e) {
  sqlite3_stmt *st = sl__query(b, e, "SELECT edited FROM gradings WHERE id = ?", "i", grading);
  const char *edited = NULL;
  while (sl__next(b, st, e)) edited = sl__text(b, st, 0);
  return edited ? sl__safe(b->a, edited) : NULL;
}

static void take_lab(sl_book *b, const sl_final *f, sl_graded_lab *gl, sl_error *e) {
  sl_lab *lab = sl__alloc(b->a, sizeof *lab);
  sl_lab_info *info = sl__alloc(b->a, sizeof *info);
  *info = (sl_lab_info){.number = sl__str(b->a, "%.2s", f->lab), .name = f->lab};
  SL_LAB_FREED sl_lab *course = course_lab(f->lab);
  lab->info = info, lab->title = (char *)title_of(b, f, course ? course->title : f->lab);
  *gl = (sl_graded_lab){.lab = lab,
                        .score = f->counts ? f->final : 0,
                        .max = f->max,
                        .by_person = f->override_reason != NULL,
                        .unscored = !f->counts,
                        .absent = f->standing == SL_STANDING_MISSING};
  if (gl->absent) gl->problem = "nothing was handed in";
  if (!gl->absent) {
    gl->edited = edited_of(b, f->grading, e);
    take_tests(b, f->grading, lab, gl, e);
    take_part_titles(b, lab, course);
  }
}

// A hidden case is never told of; one that is told after the due date, not before the student's.
static bool is_concealed(const sl_term *t, const char *student, const char *lab, sl_audience audience) {
  time_t due;
  if (audience != SL_AFTER_DUE) return audience == SL_HIDDEN;
  return !sl__policy_due(&t->policy, student, lab, &due) || time(NULL) < due;
}

static void conceal_tests(sl_arena *a, const sl_term *t, const char *student, const sl_submission *sub) {
  SL_EACH_LAB(sub, gl)
    SL_EACH_TEST(gl, test) {
      if (is_concealed(t, student, gl->lab->info->name, test->c->visibility)) sl__conceal(a, test);
    }
}

sl_submission *sl__again(sl_book *b, const sl_term *t, const sl_enrolled *s, bool told, sl_grading *g,
                         sl_error *e) {
  *g = (sl_grading){.arena = b->a, .n = 1, .subs = sl__alloc(b->a, sizeof *g->subs)};
  g->course.root = sl_course_root(), g->course.backend = "sim";
  sl_submission *sub = g->subs;
  *sub = (sl_submission){.name = sl__safe(b->a, s->id),
                         .id = sl__safe_name(b->a, s->id),
                         .in.full = s->name,
                         .score = s->total,
                         .max = s->max,
                         .n_labs = t->n_labs};
  sub->labs = sl__alloc(b->a, (t->n_labs + 1) * sizeof *sub->labs);
  for (size_t k = 0; k < t->n_labs; k++) take_lab(b, &s->labs[k], &sub->labs[k], e);
  if (told) conceal_tests(b->a, t, s->id, sub);
  return e->code ? NULL : sub;
}

void sl__again_free(sl_grading *g) {
  SL_EACH_LAB(&g->subs[0], gl)
    SL_EACH_TEST(gl, t) sl__drop_result(t);
}
