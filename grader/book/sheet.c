// A CSV file of another system, of which single cells are replaced and every other byte stays.
//
// Interface: sl__sheet_read finds rows and cells: separated by comma, semicolon or tab (the commonest of the
// first line), quoted or not, lines ended in any way, a byte order mark in front. sl__sheet_cell gives a
// cell's text in UTF-8. sl__sheet_set replaces it, quoted as it was; sl__sheet_write writes the file.
#include "book.h"
#include "intake/intake.h"
#include "sheet.h"

#include <stdlib.h>
#include <string.h>

// The end of the cell that begins at [s]; NULL: its quotes are not closed.
static const char *end_of_cell(const char *s, char separator) {
  if (*s != '"') return s + strcspn(s, (const char[]){separator, '\r', '\n', 0});
  for (s++; *s; s++) {
    if (*s != '"') continue;
    if (s[1] != '"') return s + 1 + strcspn(s + 1, (const char[]){separator, '\r', '\n', 0});
    s++;
  }
  return NULL;
}

static sl_sheet_row *add_row(sl_sheet *t) {
  t->rows = sl__more(t->a, t->rows, t->n, sizeof *t->rows);
  return memset(&t->rows[t->n++], 0, sizeof *t->rows);
}

static void add_cell(sl_sheet *t, sl_sheet_row *row, const char *from, const char *to) {
  row->cells = sl__more(t->a, row->cells, row->n, sizeof *row->cells);
  row->cells[row->n++] = (sl_sheet_place){(size_t)(from - t->text), (size_t)(to - from), NULL};
}

static bool read_rows(sl_sheet *t, const char *path, sl_error *e) {
  const char *s = sl__behind_mark(t->text), *first = s;
  t->separator = sl__find_separator(&s);
  t->above = s > first;
  while (*s) {
    sl_sheet_row *row = add_row(t);
    for (bool more = true; more;) {
      const char *end = end_of_cell(s, t->separator);
      if (!end)
        return sl_fail(e, SL_EXIT_INPUT, NULL, "%s: row %zu: a quoted cell has no end", path,
                       t->above + t->n);
      add_cell(t, row, s, end);
      more = *end == t->separator;
      s = end + more;
    }
    s += *s == '\r';
    s += *s == '\n';
  }
  return t->n > 0 || sl_fail(e, SL_EXIT_INPUT, NULL, "%s: is empty", path);
}

bool sl__sheet_read(sl_arena *a, const char *path, sl_sheet *t, sl_error *e) {
  *t = (sl_sheet){.a = a};
  char *text = sl_read_file(path, 64 << 20, &t->len, e);
  if (!text) return false;
  t->text = sl__str(a, "%s", text);
  const bool is_text = strlen(text) == t->len && strncmp(text, "PK\3\4", 4);
  if (!is_text) sl__no_text(path, "gradebook is a table as text (CSV)", text, e);
  free(text);
  return is_text && read_rows(t, path, e);
}

const char *sl__sheet_cell(const sl_sheet *t, size_t row, size_t column) {
  if (row >= t->n || column >= t->rows[row].n) return "";
  const sl_sheet_place *c = &t->rows[row].cells[column];
  const char *s = t->text + c->at, *end = s + c->len;
  char *out = sl__alloc(t->a, c->len + 1), *p = out;
  bool quoted = *s == '"';
  for (s += quoted; s < end; s++) {
    if (quoted && *s == '"' && ++s >= end) break;
    *p++ = *s;
  }
  return sl__one_line(t->a, sl__as_utf8(t->a, out, (size_t)(p - out)));
}

void sl__sheet_set(sl_sheet *t, size_t row, size_t column, const char *text) {
  sl_sheet_place *c = &t->rows[row].cells[column];
  bool quoted = t->text[c->at] == '"' || strchr(text, t->separator);
  c->now = sl__str(t->a, quoted ? "\"%s\"" : "%s", text);
}

bool sl__sheet_write(const sl_sheet *t, const char *path, sl_error *e) {
  sl_out *out = sl_open_atomic(path, e);
  size_t done = 0;
  bool ok = out != NULL;
  for (size_t r = 0; ok && r < t->n; r++)
    for (size_t k = 0; ok && k < t->rows[r].n; k++) {
      const sl_sheet_place *c = &t->rows[r].cells[k];
      if (!c->now) continue;
      ok = sl_write(out, t->text + done, c->at - done, e) && sl_write(out, c->now, strlen(c->now), e);
      done = c->at + c->len;
    }
  ok = ok && sl_write(out, t->text + done, t->len - done, e);
  if (ok) return sl_commit(out, e);
  sl_abandon(out);
  return false;
}
