// A CSV file as rows of cells, of which some are replaced (sheet.c).
#ifndef SL_BOOK_SHEET_H
#define SL_BOOK_SHEET_H

#include "grade.h"

typedef struct sl_sheet_place {
  size_t at, len;  // where the cell is in the text, quotes included
  const char *now; // what replaces it; NULL: nothing
} sl_sheet_place;

typedef struct sl_sheet_row {
  size_t n;
  sl_sheet_place *cells;
} sl_sheet_row;

typedef struct sl_sheet {
  sl_arena *a;
  const char *text;
  size_t len, n, above; // above: lines in front of the first row, which holds the titles
  char separator;
  sl_sheet_row *rows;
} sl_sheet;

bool sl__sheet_read(sl_arena *a, const char *path, sl_sheet *t, sl_error *e);
const char *sl__sheet_cell(const sl_sheet *t, size_t row, size_t column); // "" where there is none
void sl__sheet_set(sl_sheet *t, size_t row, size_t column, const char *text);
bool sl__sheet_write(const sl_sheet *t, const char *path, sl_error *e);

#endif
