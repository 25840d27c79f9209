// A table as people and systems export it: CSV, also with semicolons or tabs; UTF-8 with or without a mark,
// UTF-16 with one, or Windows-1252, which has Latin-1's letters and those that Excel writes beside them.
//
// Interface: sl__read_csv gives its rows in UTF-8, cells without the blanks around them, and leaves empty
// rows out. A quoted cell that has no end is refused: it would hold the rows behind it.
#include "intake/intake.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TABLE = 16 << 20 };

// Encodings -------------------------------------------------------------------------------------------------

static bool is_utf8(const char *s) {
  json_t *text = json_string(s);
  json_decref(text);
  return text != NULL;
}

static size_t put_utf8(char *out, unsigned c) {
  if (c < 0x80) return out[0] = (char)c, 1;
  if (c < 0x800) return out[0] = (char)(0xC0 | c >> 6), out[1] = (char)(0x80 | (c & 63)), 2;
  size_t n = c < 0x10000 ? 3 : 4;
  out[0] = (char)((n == 3 ? 0xE0 : 0xF0) | c >> 6 * (n - 1));
  for (size_t k = 1; k < n; k++) out[k] = (char)(0x80 | (c >> 6 * (n - 1 - k) & 63));
  return n;
}

// What Windows-1252 has where Latin-1 has control characters: 0x80 to 0x9F.
static const unsigned short windows[] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                         0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                         0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                         0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

static unsigned unit_at(const unsigned char *raw, size_t i, bool little) {
  return little ? raw[i] | (unsigned)raw[i + 1] << 8 : raw[i + 1] | (unsigned)raw[i] << 8;
}

// False: it has a character of zero.
static bool decode_utf16(const unsigned char *raw, size_t len, bool little, char *out) {
  for (size_t i = 2; i + 1 < len; i += 2) {
    unsigned c = unit_at(raw, i, little), low = i + 3 < len ? unit_at(raw, i + 2, little) : 0;
    bool pair = c >> 10 == 0x36 && low >> 10 == 0x37;
    if (pair) c = 0x10000 + ((c & 1023) << 10 | (low & 1023)), i += 2;
    else if (c >> 11 == 0x1B) c = 0xFFFD; // half of a pair
    if (!c) return false;
    out += put_utf8(out, c);
  }
  return true;
}

// The text of a file in UTF-8. NULL: it has bytes of zero.
static char *decode(sl_arena *a, const unsigned char *raw, size_t len) {
  bool little = len > 1 && raw[0] == 0xFF && raw[1] == 0xFE,
       big = len > 1 && raw[0] == 0xFE && raw[1] == 0xFF;
  char *out = sl__alloc(a, 3 * len + 4);
  size_t n = 0;
  if (little || big) return decode_utf16(raw, len, little, out) ? out : NULL;
  if (memchr(raw, 0, len)) return NULL;
  if (is_utf8((const char *)raw))
    return strcpy(out, (const char *)raw + (strncmp((const char *)raw, "\xEF\xBB\xBF", 3) ? 0 : 3));
  for (size_t i = 0; i < len; i++)
    n += put_utf8(out + n, raw[i] >= 0x80 && raw[i] < 0xA0 ? windows[raw[i] - 0x80] : raw[i]);
  return out;
}

// Rows ------------------------------------------------------------------------------------------------------

// Reads one row of cells at *at into [cells], and counts *lines. Returns how many there are; 0: a quoted cell
// has no end.
static size_t read_row(char separator, char **at, char *cells[SL_CSV_CELLS], size_t *lines) {
  size_t n = 0;
  char *p = *at;
  for (bool more = true; more;) {
    char *out = p, *begin = p;
    bool quoted = *p == '"';
    if (quoted) p++;
    for (; *p; p++) {
      if (quoted && *p == '"' && p[1] == '"') p++;
      else if (quoted && *p == '"') {
        quoted = false;
        continue;
      } else if (!quoted && (*p == separator || *p == '\n' || *p == '\r')) break;
      *lines += *p == '\n';
      *out++ = *p;
    }
    if (quoted) return 0;
    more = *p == separator;
    if (*p == '\r' && p[1] == '\n') p++;
    *lines += *p == '\n' || *p == '\r';
    if (*p) p++;
    *out = 0;
    if (n < SL_CSV_CELLS) cells[n++] = begin;
  }
  *at = p;
  return n;
}

static char find_separator(const char *text) {
  size_t count[3] = {0};
  static const char marks[] = ",;\t";
  for (const char *p = text; *p && *p != '\n'; p++)
    for (int k = 0; k < 3; k++) count[k] += *p == marks[k];
  return count[1] > count[0] ? ';' : count[2] > count[0] ? '\t' : ',';
}

static const char *trimmed(sl_arena *a, const char *s) {
  s += strspn(s, " \t");
  size_t n = strlen(s);
  while (n && strchr(" \t", s[n - 1])) n--;
  return sl__str(a, "%.*s", (int)n, s);
}

static void add_row(sl_arena *a, sl_csv *t, char *const cells[], size_t n, size_t line) {
  if (n == 1 && !*trimmed(a, cells[0])) return;
  t->rows = sl__more(a, t->rows, t->n, sizeof *t->rows);
  sl_csv_row *row = &t->rows[t->n++];
  *row = (sl_csv_row){.line = line, .n = n, .cells = sl__alloc(a, n * sizeof *row->cells)};
  for (size_t k = 0; k < n; k++) row->cells[k] = trimmed(a, cells[k]);
}

bool sl__read_csv(sl_arena *a, const char *path, const char *what, sl_csv *t, sl_error *e) {
  size_t len, line = 1, next = 1;
  unsigned char *raw = sl_read_file(path, MAX_TABLE, &len, e);
  if (!raw) return false;
  char *text = decode(a, raw, len), *cells[SL_CSV_CELLS];
  free(raw);
  if (!text)
    return sl_fail(e, SL_EXIT_INPUT, sl__str(a, "a %s is a table as text (CSV)", what), "%s: is no text",
                   path);
  char separator = find_separator(text);
  *t = (sl_csv){0};
  for (; line = next, *text;) {
    size_t n = read_row(separator, &text, cells, &next);
    if (!n)
      return sl_fail(e, SL_EXIT_INPUT, "a quote that begins a cell needs a second one at its end",
                     "%s: line %zu: a quoted cell has no end", path, line);
    add_row(a, t, cells, n, line);
  }
  return true;
}
