// What fill.c and rows.c share: a file of Canvas or Moodle that is being filled.
#pragma once

#include "book.h"
#include "intake/intake.h"

typedef struct sl_fill_system {
  const char *name, *column; // column: where scores go if nobody says it; NULL: it must be said
  const char *keys[8];       // columns that identify a student, the best first
  const char *names[4];      // the column with full names, and others with surnames
  const char *first;         // where the column beside surnames has the rest
  const char *max, *locked;  // columns: the most points; "No" where the grade cannot be changed
} sl_fill_system;

typedef struct lookup {
  sl_index written, plain;
} lookup;

typedef struct filling {
  sl_book *b;
  const sl_term *t;
  const sl_fill *o;
  const sl_fill_system *system;
  sl_csv sheet;
  const char **titles;       // each column's
  lookup ids, names;         // where the students are; names in their usual order
  lookup all_names;          // and those that they had before, by another roster
  size_t column, points_row; // points_row: Canvas' row of possible points; 0: none
  bool comma;                // decimal comma
  size_t *row_of;            // each student's; 0: none
  sl_error *e;
  int64_t *left;
  size_t filled, replaced; // replaced: cells that had something else
} filling;

int64_t sl__fill_column(const filling *f, const char *title); // less than 0: there is none
bool sl__fill_refuse(filling *f, const char *hint, const char *what, const char *name);

// sheet.c: a CSV file of which single cells are replaced
bool sl__sheet_read(sl_arena *a, const char *path, sl_csv *t, sl_error *e);
void sl__sheet_set(sl_csv *t, size_t row, size_t column, const char *text);
bool sl__sheet_write(const sl_csv *t, const char *path, sl_error *e);

// rows.c
bool sl__fill_match(filling *f);                          // sets f->row_of
size_t sl__fill_row_number(const filling *f, size_t row); // as people count
