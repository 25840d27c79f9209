// Canvas and Moodle: final scores in one column of a gradebook that the system exported.
//
// Interface: sl__fill reads the exported file and writes it with the scores in it; every other byte stays, so
// the system takes it back as its own. A row is a student's if a column that identifies people there (a row
// of `systems`) has the student's name in this book, or the full name; both may be written in another way
// (rows.c). What does not fit is refused: a column that is not there or cannot be changed, two rows of one
// student, a row whose number is one student's and whose name another's, other points than the lab has
// (unless they are to be scaled). Excused students and grades that are locked stay as they are, and are
// named; so are cells that had something else.
#include "fill.h"

#include <math.h>

static const sl_fill_system systems[] = {
    {"canvas",
     NULL,
     {"SIS Login ID", "SIS User ID", "Integration ID", "ID", NULL},
     {"Student", "LastName", NULL},
     "FirstName",
     NULL,
     NULL},
    {"moodle",
     "Grade",
     {"Identifier", "ID number", "Username", "Email address", NULL},
     {"Full name", "Last name", "Surname", NULL},
     "First name",
     "Maximum Grade",
     "Grade can be changed"},
};

enum { MAX_REPLACED = 5 }; // how many cells that had something else are told one by one

bool sl__fill_refuse(filling *f, const char *hint, const char *what, const char *name) {
  return sl_fail(f->e, SL_EXIT_INPUT, hint, "%s: %s '%s'", f->o->from, what, name);
}

static void leave(filling *f, const char *who, const char *why) {
  sl__warn(who, why);
  ++*f->left;
}

// Columns ---------------------------------------------------------------------------------------------------

int64_t sl__fill_column(const filling *f, const char *title) {
  for (size_t k = 0; title && k < f->sheet.rows[0].n; k++)
    if (!strcmp(f->titles[k], title)) return (int64_t)k;
  return -1;
}

static void read_titles(filling *f) {
  f->titles = sl__alloc(f->b->a, f->sheet.rows[0].n * sizeof *f->titles);
  for (size_t k = 0; k < f->sheet.rows[0].n; k++) f->titles[k] = sl__cell(&f->sheet, 0, k);
}

// The column called [title], or the only one that begins so: Canvas puts a number in brackets behind.
static bool find_column(filling *f, const char *title) {
  size_t hits = 0, same = 0;
  int64_t exact = sl__fill_column(f, title);
  const char *list = "";
  for (size_t k = 0; k < f->sheet.rows[0].n; k++) {
    const char *name = f->titles[k];
    SL_FREED char *begin = sl_path("%s (", title);
    if (!strncmp(name, begin, strlen(begin))) f->column = k, hits++;
    same += !strcmp(name, title);
    list = sl__str(f->b->a, "%s%s%s", list, k ? ", " : "", name);
  }
  if (same > 1)
    return sl__fill_refuse(f, "remove all but one, or rename them", "several columns are called", title);
  if (exact >= 0) return f->column = (size_t)exact, true;
  return hits == 1 || sl__fill_refuse(f, sl__str(f->b->a, "its columns: %s", list),
                                      hits ? "several columns begin with" : "there is no column", title);
}

static bool check_match(filling *f) {
  return !f->o->match || sl__fill_column(f, f->o->match) >= 0 ||
         sl__fill_refuse(f, "--match names the column that identifies students there", "there is no column",
                         f->o->match);
}

// A number with a point or a comma. False: it is none.
static bool read_number(const char *s, double *v) {
  SL_FREED char *copy = sl_path("%s", s);
  char *comma = strchr(copy, ',');
  if (comma) *comma = '.';
  return sl_parse_decimal(copy, v);
}

static bool find_points_row(filling *f) {
  for (size_t r = 1; r < f->sheet.n && !f->points_row; r++)
    if (!strcmp(sl__cell(&f->sheet, r, 0), "Points Possible")) f->points_row = r;
  const char *cell = f->points_row ? sl__cell(&f->sheet, f->points_row, f->column) : "";
  f->comma = strchr(cell, ',') != NULL;
  return !strstr(cell, "(read only)") ||
         sl__fill_refuse(f, "name a column of an assignment", "the system computes the column",
                         f->titles[f->column]);
}

// Scores ----------------------------------------------------------------------------------------------------

// The student's score and the most that there is. False: the student has none yet.
static bool score_of(const filling *f, const sl_enrolled *s, double *score, double *max) {
  *score = s->total, *max = s->max;
  bool counts = false, open = false;
  for (size_t k = 0; k < f->t->n_labs; k++) {
    const sl_final *l = &s->labs[k];
    if (f->o->lab && !strcmp(l->lab, f->o->lab)) return *score = l->final, *max = l->max, l->counts;
    counts |= l->counts, open |= l->standing == SL_STANDING_ERROR && !l->counts;
  }
  return counts && !open;
}

// The points that the system has for the column in this row.
static bool scale_score(filling *f, size_t row, double max, double *score) {
  int64_t column = sl__fill_column(f, f->system->max);
  const char *cell = column >= 0     ? sl__cell(&f->sheet, row, (size_t)column)
                     : f->points_row ? sl__cell(&f->sheet, f->points_row, f->column)
                                     : "";
  double theirs;
  if (column >= 0) f->comma = strchr(cell, ',') != NULL;
  if (!*cell || max <= 0) return true;
  if (!read_number(cell, &theirs) || theirs <= 0)
    return sl__fill_refuse(f, "put back what the column had when it was exported",
                           "the points of the column are no number:", cell);
  if (fabs(theirs - max) < 1e-6) return true;
  *score *= theirs / max;
  return f->o->scale ||
         sl__fill_refuse(f, "--scale converts them",
                         sl__str(f->b->a, "here are %s points, and the column has", sl__points(f->b->a, max)),
                         cell);
}

static bool is_excused(const char *cell) { return !strcasecmp(cell, "EX") || !strcasecmp(cell, "Excused"); }

// Writes the score, and tells what it replaces.
static void put_score(filling *f, const sl_enrolled *s, size_t row, double score) {
  const char *cell = sl__cell(&f->sheet, row, f->column);
  char *text = sl__points(f->b->a, score), *point = strchr(text, '.');
  double before;
  if (point && f->comma) *point = ',';
  sl__sheet_set(&f->sheet, row, f->column, text);
  f->filled++;
  if (!*cell || (read_number(cell, &before) && fabs(before - score) < 0.01)) return;
  if (f->replaced++ < MAX_REPLACED)
    sl__warn(s->id, sl__str(f->b->a, "row %zu had '%.80s', and has %s now", sl__fill_row_number(f, row), cell,
                            text));
}

static bool fill_row(filling *f, const sl_enrolled *s, size_t row) {
  int64_t locked = sl__fill_column(f, f->system->locked);
  double score, max;
  if (!score_of(f, s, &score, &max)) return true;
  if (locked >= 0 && !strcasecmp(sl__cell(&f->sheet, row, (size_t)locked), "no"))
    return leave(f, s->id, "the grade cannot be changed there"), true;
  if (is_excused(sl__cell(&f->sheet, row, f->column)))
    return leave(f, s->id, "is excused there, and stays so"), true;
  if (!scale_score(f, row, max, &score)) return false;
  put_score(f, s, row, score);
  return true;
}

static bool fill_rows(filling *f) {
  double score, max;
  for (size_t k = 0; k < f->t->n; k++) {
    const sl_enrolled *s = &f->t->students[k];
    if (f->row_of[k] && !fill_row(f, s, f->row_of[k])) return false;
    if (!f->row_of[k] && score_of(f, s, &score, &max))
      leave(f, s->id, "has a score, and the file has no row for this student");
  }
  return true;
}

static void tell_sum(const filling *f) {
  const char *column = sl__safe(f->b->a, f->titles[f->column]);
  if (f->replaced > MAX_REPLACED)
    sl__warn(f->o->to, sl__str(f->b->a, "%zu more cells had something else", f->replaced - MAX_REPLACED));
  sl__say_written(
      f->o->to, sl__str(f->b->a, "%zu score%s in the column '%s'", f->filled, sl_plural(f->filled), column));
}

bool sl__is_system(const char *name) {
  for (size_t k = 0; k < sizeof systems / sizeof *systems; k++)
    if (!strcmp(systems[k].name, name)) return true;
  return false;
}

bool sl__fill(sl_book *b, const sl_term *t, const sl_fill *o, int64_t *left, sl_error *e) {
  filling f = {.b = b, .t = t, .o = o, .e = e, .left = left};
  for (size_t k = 0; k < sizeof systems / sizeof *systems; k++)
    if (!strcmp(systems[k].name, o->system)) f.system = &systems[k];
  const char *title = o->column ? o->column : f.system->column;
  if (!title)
    return sl_fail(e, SL_EXIT_USAGE, "--column 'Lab 3' is the title of the assignment there",
                   "canvas needs --column");
  if (!sl__sheet_read(b->a, o->from, &f.sheet, e)) return false;
  read_titles(&f);
  if (!find_column(&f, title) || !check_match(&f) || !find_points_row(&f) || !sl__fill_match(&f) ||
      !fill_rows(&f) || !sl__sheet_write(&f.sheet, o->to, e))
    return false;
  tell_sum(&f);
  return true;
}
