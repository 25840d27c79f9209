// Which row of an exported gradebook is whose.
//
// Interface: sl__fill_match finds the row of each student. A row is found by numbers and addresses, then by
// names, as they are written or as they may be written as well (plain.c). A row that is shifted or whose
// number is one student's and whose name another's is refused: it would get the score of somebody else.
#include "fill.h"

static void note_key(filling *f, lookup *x, const char *key, size_t student) {
  char plain[SL_MAX_PLAIN];
  sl__plain_key(key, plain, sizeof plain);
  sl__index_add(f->b->a, &x->written, key, student);
  if (*plain) sl__index_add(f->b->a, &x->plain, sl__str(f->b->a, "%s", plain), student);
}

typedef struct name_keys {
  filling *f;
  size_t student;
} name_keys;

static void note_order(void *of, const char *name) {
  const name_keys *k = of;
  note_key(k->f, &k->f->all_names, name, k->student);
}

static void note_orders(filling *f, const char *name, size_t student) {
  sl__each_order(f->b->a, name, note_order, &(name_keys){f, student});
}

// Rosters write names in one order or another, so other orders and earlier names are looked for, too.
static bool index_students(filling *f) {
  sqlite3_stmt *st = sl__query(
      f->b, f->e, "SELECT DISTINCT student, name FROM students WHERE name IS NOT NULL ORDER BY student", "");
  size_t *k;
  for (size_t i = 0; i < f->t->n; i++) {
    const sl_enrolled *s = &f->t->students[i];
    note_key(f, &f->ids, s->id, i);
    note_key(f, &f->names, sl__name_in_order(f->b->a, s->name ? s->name : s->id), i);
    note_orders(f, s->name ? s->name : s->id, i);
  }
  while (sl__next(f->b, st, f->e))
    if (sl__index_find(f->b->a, &f->ids.written, sl__text(f->b, st, 0), &k))
      note_orders(f, sl__text(f->b, st, 1), k[0]);
  return !f->e->code;
}

// The name in [cell] of the column [key], with the first name where that stands in a column of its own.
// "Miller, Anna" is "Anna Miller".
static const char *full_name(const filling *f, size_t row, const char *key, const char *cell) {
  int64_t first = strcmp(key, f->system->names[0]) ? sl__fill_column(f, f->system->first) : -1;
  if (first >= 0) cell = sl__str(f->b->a, "%s, %s", cell, sl__cell(&f->sheet, row, (size_t)first));
  return sl__name_in_order(f->b->a, cell);
}

enum { NOBODY = -1, SEVERAL = -2 };

static int64_t only_in(const filling *f, const sl_index *x, const char *key) {
  size_t *found, n = sl__index_find(f->b->a, x, key, &found);
  for (size_t k = 1; k < n; k++)
    if (found[k] != found[0]) return SEVERAL;
  return n ? (int64_t)found[0] : NOBODY;
}

// The only student with [key] as it is written; if there is none, as it may be written as well.
static int64_t only_of(const filling *f, const lookup *x, const char *key) {
  char plain[SL_MAX_PLAIN];
  int64_t k = only_in(f, &x->written, key);
  sl__plain_key(key, plain, sizeof plain);
  return k == NOBODY ? only_in(f, &x->plain, plain) : k;
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
  int64_t column = sl__fill_column(f, key);
  const char *cell = column < 0 ? "" : sl__cell(&f->sheet, row, (size_t)column);
  if (!*cell) return NOBODY;
  return by_name ? student_called(f, full_name(f, row, key, cell)) : student_with(f, cell);
}

// The student whom the row's numbers and addresses, or [by_name] its names mean; less than 0: none.
static int64_t student_by(const filling *f, size_t row, bool by_name) {
  const char *const own[] = {f->o->match, NULL};
  const char *const *key = by_name ? f->system->names : f->o->match ? own : f->system->keys;
  int64_t k = NOBODY;
  for (; k < 0 && *key; key++) k = only_student(f, row, *key, by_name);
  return k;
}

size_t sl__fill_row_number(const filling *f, size_t row) { return f->sheet.above + row + 1; }

static bool refuse_row(filling *f, size_t row, const char *hint, const char *what, const char *name) {
  return sl__fill_refuse(f, hint, sl__str(f->b->a, "row %zu %s", sl__fill_row_number(f, row), what), name);
}

// Finds the student of the row; *k is less than 0: none.
static bool match_row(filling *f, size_t row, int64_t *k) {
  const int64_t by_name = f->o->match ? NOBODY : student_by(f, row, true);
  *k = student_by(f, row, false);
  if (*k < 0) *k = by_name;
  if (by_name < 0 || by_name == *k) return true;
  return refuse_row(f, row,
                    "was one column sorted without the others? --match TITLE takes that column's word",
                    sl__str(f->b->a, "has the name of '%s' and the number of", f->t->students[by_name].id),
                    f->t->students[*k].id);
}

bool sl__fill_match(filling *f) {
  const size_t most = sl__most_cells(&f->sheet, f->points_row);
  int64_t k;
  if (!index_students(f)) return false;
  f->row_of = sl__alloc(f->b->a, (f->t->n + 1) * sizeof *f->row_of);
  for (size_t r = 1; r < f->sheet.n; r++) {
    if (r == f->points_row) continue;
    if (f->sheet.rows[r].n > most)
      return refuse_row(f, r, "a comma in a name without quotes?",
                        "has more cells than there are titles:", sl__cell(&f->sheet, r, 0));
    if (!match_row(f, r, &k)) return false;
    if (k < 0) continue;
    if (f->row_of[k])
      return sl__fill_refuse(f, "remove one, or name the column that tells them apart with --match",
                             sl__str(f->b->a, "rows %zu and %zu are both of",
                                     sl__fill_row_number(f, f->row_of[k]), sl__fill_row_number(f, r)),
                             f->t->students[k].id);
    if (f->column >= f->sheet.rows[r].n)
      return refuse_row(f, r, "export it again", "is too short:", f->t->students[k].id);
    f->row_of[k] = r;
  }
  return true;
}
