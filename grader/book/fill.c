// Canvas and Moodle: final scores in one column of a gradebook that the system exported.
//
// Interface: sl__fill reads the exported file and writes it with the scores in it; every other byte stays, so
// the system takes it back as its own. A row is a student's if a column that identifies people there (a row
// of `systems`) has the student's name in this book, or the full name. What does not fit is refused: a column
// that is not there or cannot be changed, two rows of one student, other points than the lab has (unless they
// are to be scaled). Excused students and grades that are locked stay as they are, and are named.
#include "book.h"
#include "intake/intake.h"
#include "sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct system {
  const char *name, *column; // column: where scores go if nobody says it; NULL: it must be said
  const char *keys[8];       // columns that identify a student, the best first
  const char *names[4];      // the column with full names, and others with surnames
  const char *first;         // where the column beside surnames has the rest
  const char *max, *locked;  // columns: the most points; "No" where the grade cannot be changed
} systems[] = {
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

typedef struct filling {
  sl_book *b;
  const sl_term *t;
  const sl_fill *o;
  const struct system *system;
  sl_sheet sheet;
  const char **titles;       // each column's
  sl_index ids, names;       // where the students are; names in their usual order
  sl_index all_names;        // and those that they had before, by another roster
  size_t column, points_row; // points_row: Canvas' row of possible points; 0: none
  bool comma;                // decimal comma
  size_t *row_of;            // each student's; 0: none
  sl_error *e;
  int64_t *left;
} filling;

static bool refuse(filling *f, const char *hint, const char *what, const char *name) {
  return sl_fail(f->e, SL_EXIT_INPUT, hint, "%s: %s '%s'", f->o->from, what, name);
}

static void leave(filling *f, const char *who, const char *why) {
  sl__print_warning("scanlab gradebook", sl__safe(f->b->a, who), why);
  ++*f->left;
}

// Columns ---------------------------------------------------------------------------------------------------

static int64_t column_of(const filling *f, const char *title) {
  for (size_t k = 0; title && k < f->sheet.rows[0].n; k++)
    if (!strcmp(f->titles[k], title)) return (int64_t)k;
  return -1;
}

static void read_titles(filling *f) {
  f->titles = sl__alloc(f->b->a, f->sheet.rows[0].n * sizeof *f->titles);
  for (size_t k = 0; k < f->sheet.rows[0].n; k++) f->titles[k] = sl__sheet_cell(&f->sheet, 0, k);
}

// The column called [title], or the only one that begins so: Canvas puts a number in brackets behind.
static bool find_column(filling *f, const char *title) {
  size_t hits = 0;
  int64_t exact = column_of(f, title);
  const char *list = "";
  for (size_t k = 0; k < f->sheet.rows[0].n; k++) {
    const char *name = f->titles[k];
    char *begin = sl_path("%s (", title);
    if (!strncmp(name, begin, strlen(begin))) f->column = k, hits++;
    list = sl__str(f->b->a, "%s%s%s", list, k ? ", " : "", name);
    free(begin);
  }
  if (exact >= 0) return f->column = (size_t)exact, true;
  return hits == 1 || refuse(f, sl__str(f->b->a, "its columns: %s", list),
                             hits ? "several columns begin with" : "there is no column", title);
}

// A number with a point or a comma. False: it is none.
static bool read_number(const char *s, double *v) {
  SL_FREED char *copy = sl_path("%s", s);
  char *comma = strchr(copy, ',');
  if (comma) *comma = '.';
  return sl_parse_decimal(copy, v);
}

static bool find_points_row(filling *f) {
  for (size_t r = 1; r < f->sheet.n && r < 5 && !f->points_row; r++)
    if (!strcmp(sl__sheet_cell(&f->sheet, r, 0), "Points Possible")) f->points_row = r;
  const char *cell = f->points_row ? sl__sheet_cell(&f->sheet, f->points_row, f->column) : "";
  f->comma = strchr(cell, ',') != NULL;
  return !strstr(cell, "(read only)") ||
         refuse(f, "name a column of an assignment", "the system computes the column", f->titles[f->column]);
}

// Rows ------------------------------------------------------------------------------------------------------

// Rosters write names in one order or another, so names that students had before are looked for, too.
static bool index_students(filling *f) {
  sqlite3_stmt *st = sl__query(
      f->b, f->e, "SELECT DISTINCT student, name FROM students WHERE name IS NOT NULL ORDER BY student", "");
  size_t *k;
  for (size_t i = 0; i < f->t->n; i++) {
    const sl_enrolled *s = &f->t->students[i];
    sl__index_add(f->b->a, &f->ids, s->id, i);
    sl__index_add(f->b->a, &f->names, sl__name_in_order(f->b->a, s->name ? s->name : s->id), i);
  }
  while (sl__next(f->b, st, f->e))
    if (sl__index_find(f->b->a, &f->ids, sl__text(f->b, st, 0), &k))
      sl__index_add(f->b->a, &f->all_names, sl__name_in_order(f->b->a, sl__text(f->b, st, 1)), k[0]);
  return !f->e->code;
}

// The name in [cell] of the column [key], with the first name where that stands in a column of its own.
// "Miller, Anna" is "Anna Miller".
static const char *full_name(const filling *f, size_t row, const char *key, const char *cell) {
  int64_t first = strcmp(key, f->system->names[0]) ? column_of(f, f->system->first) : -1;
  if (first >= 0) cell = sl__str(f->b->a, "%s, %s", cell, sl__sheet_cell(&f->sheet, row, (size_t)first));
  return sl__name_in_order(f->b->a, cell);
}

enum { NOBODY = -1, SEVERAL = -2 };

// The only student with [key].
static int64_t only_of(const filling *f, const sl_index *x, const char *key) {
  size_t *found, n = sl__index_find(f->b->a, x, key, &found);
  for (size_t k = 1; k < n; k++)
    if (found[k] != found[0]) return SEVERAL;
  return n ? (int64_t)found[0] : NOBODY;
}

static int64_t student_called(const filling *f, const char *name) {
  int64_t k = only_of(f, &f->names, name);
  return k == NOBODY ? only_of(f, &f->all_names, name) : k;
}

static int64_t student_with(const filling *f, const char *id) {
  static const char participant[] = "Participant "; // Moodle's word in front of its number
  const size_t begin = sizeof participant - 1;
  int64_t k = only_of(f, &f->ids, id);
  int64_t of_number = strncmp(id, participant, begin) != 0 ? NOBODY : only_of(f, &f->ids, id + begin);
  return k == NOBODY ? of_number : of_number == NOBODY ? k : SEVERAL;
}

// The only student whose name, or id, is in the row's column [key]; less than 0: none, or several.
static int64_t only_student(const filling *f, size_t row, const char *key, bool by_name) {
  int64_t column = column_of(f, key);
  const char *cell = column < 0 ? "" : sl__sheet_cell(&f->sheet, row, (size_t)column);
  if (!*cell) return NOBODY;
  return by_name ? student_called(f, full_name(f, row, key, cell)) : student_with(f, cell);
}

// The student of the row; less than 0: none.
static int64_t student_of(const filling *f, size_t row) {
  const char *const own[] = {f->o->match, NULL};
  int64_t k = -1;
  for (const char *const *key = f->o->match ? own : f->system->keys; k < 0 && *key; key++)
    k = only_student(f, row, *key, false);
  for (const char *const *key = f->system->names; k < 0 && !f->o->match && *key; key++)
    k = only_student(f, row, *key, true);
  return k;
}

static bool match_rows(filling *f) {
  if (!index_students(f)) return false;
  f->row_of = sl__alloc(f->b->a, (f->t->n + 1) * sizeof *f->row_of);
  for (size_t r = 1; r < f->sheet.n; r++) {
    int64_t k = r == f->points_row ? -1 : student_of(f, r);
    if (k < 0) continue;
    if (f->row_of[k])
      return refuse(f, "name the column that tells them apart with --match",
                    sl__str(f->b->a, "rows %zu and %zu are both of", f->row_of[k] + 1, r + 1),
                    f->t->students[k].id);
    if (f->column >= f->sheet.rows[r].n)
      return refuse(f, "export it again", "its row is too short:", f->t->students[k].id);
    f->row_of[k] = r;
  }
  return true;
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
  int64_t column = column_of(f, f->system->max);
  const char *cell = column >= 0     ? sl__sheet_cell(&f->sheet, row, (size_t)column)
                     : f->points_row ? sl__sheet_cell(&f->sheet, f->points_row, f->column)
                                     : "";
  double theirs;
  if (column >= 0) f->comma = strchr(cell, ',') != NULL;
  if (!read_number(cell, &theirs) || fabs(theirs - max) < 1e-6 || max <= 0) return true;
  *score *= theirs / max;
  return f->o->scale ||
         refuse(f, "--scale converts them",
                sl__str(f->b->a, "here are %s points, and the column has", sl__points(f->b->a, max)), cell);
}

static bool fill_row(filling *f, const sl_enrolled *s, size_t row) {
  int64_t locked = column_of(f, f->system->locked);
  double score, max;
  if (!score_of(f, s, &score, &max)) return true;
  if (locked >= 0 && !strcasecmp(sl__sheet_cell(&f->sheet, row, (size_t)locked), "no"))
    return leave(f, s->id, "the grade cannot be changed there"), true;
  if (!strcmp(sl__sheet_cell(&f->sheet, row, f->column), "EX"))
    return leave(f, s->id, "is excused there, and stays so"), true;
  if (!scale_score(f, row, max, &score)) return false;
  char *text = sl__points(f->b->a, score), *point = strchr(text, '.');
  if (point && f->comma) *point = ',';
  sl__sheet_set(&f->sheet, row, f->column, text);
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
  return find_column(&f, title) && find_points_row(&f) && match_rows(&f) && fill_rows(&f) &&
         sl__sheet_write(&f.sheet, o->to, e);
}
