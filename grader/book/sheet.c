// A CSV file of another system, of which single cells are replaced and every other byte stays.
//
// Interface: sl__sheet_read finds rows and cells (csv.c). sl__sheet_set replaces a cell, quoted as it was;
// sl__sheet_write writes the file.
#include "fill.h"

bool sl__sheet_read(sl_arena *a, const char *path, sl_csv *t, sl_error *e) {
  size_t len;
  SL_FREED char *text = sl_read_file(path, 64 << 20, &len, e);
  if (!text) return false;
  *t = (sl_csv){.a = a, .text = sl__str(a, "%s", text)};
  const bool is_text = strlen(text) == len && strncmp(text, "PK\3\4", 4);
  if (!is_text) sl__no_text(path, "gradebook is a table as text (CSV)", text, e);
  return is_text && sl__cut_csv(path, t, e);
}

void sl__sheet_set(sl_csv *t, size_t row, size_t column, const char *text) {
  sl_csv_cell *c = &t->rows[row].cells[column];
  bool quoted = *c->at == '"' || strchr(text, t->separator);
  c->now = sl__str(t->a, quoted ? "\"%s\"" : "%s", text);
}

bool sl__sheet_write(const sl_csv *t, const char *path, sl_error *e) {
  sl_out *out = sl_open_atomic(path, e);
  const char *done = t->text;
  bool ok = out != NULL;
  for (size_t r = 0; ok && r < t->n; r++)
    for (size_t k = 0; ok && k < t->rows[r].n; k++) {
      const sl_csv_cell *c = &t->rows[r].cells[k];
      if (!c->now) continue;
      ok = sl_write(out, done, (size_t)(c->at - done), e) && sl_write(out, c->now, strlen(c->now), e);
      done = c->at + c->len;
    }
  return sl_finish(out, ok && sl_write(out, done, strlen(done), e), e);
}
