// A table as people and systems export it: CSV, also with semicolons or tabs; UTF-8 with or without a mark,
// UTF-16 with one, or Windows-1252, which has Latin-1's letters and those that Excel writes beside them.
//
// Interface: sl__read_csv gives its rows and leaves empty ones out; sl__cut_csv gives those of a text, all of
// them, by the places of their cells in it. sl__cell is a cell in UTF-8, in one line, without the blanks
// around it. A quoted cell that has no end is refused: it would hold the rows behind it. sl__read_text gives
// the text of a file alone; sl__behind_mark and sl__no_text do their part to files whose bytes are kept.
#include "intake/intake.h"

enum { MAX_TABLE = 16 << 20 };

// Encodings -------------------------------------------------------------------------------------------------

static bool is_utf8(const char *s) {
  json_auto_t *text = json_string(s);
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

// The text [s], which has no zero bytes, in UTF-8.
static size_t put_text(char *out, const char *s, size_t len) {
  memcpy(out, s, len);
  out[len] = 0;
  if (is_utf8(out)) return len;
  size_t n = 0;
  for (size_t i = 0; i < len; i++) {
    const unsigned char c = (unsigned char)s[i];
    n += put_utf8(out + n, c >= 0x80 && c < 0xA0 ? windows[c - 0x80] : c);
  }
  out[n] = 0;
  return n;
}

static const char *as_utf8(sl_arena *a, const char *s, size_t len) {
  char *out = sl__alloc(a, 3 * len + 1);
  put_text(out, s, len);
  return out;
}

static bool is_packed(const void *raw) { return !strncmp(raw, "PK\3\4", 4); } // xlsx, ods

// The text of a file in UTF-8; each line has its own encoding, as people add lines. NULL: it has zero bytes.
static char *decode(sl_arena *a, const unsigned char *raw, size_t len) {
  bool little = len > 1 && raw[0] == 0xFF && raw[1] == 0xFE,
       big = len > 1 && raw[0] == 0xFE && raw[1] == 0xFF;
  char *out = sl__alloc(a, 3 * len + 4);
  size_t n = 0;
  if (little || big) return decode_utf16(raw, len, little, out) ? out : NULL;
  if (memchr(raw, 0, len) || is_packed(raw)) return NULL;
  for (const char *line = sl__behind_mark((const char *)raw); *line;) {
    size_t of_line = strcspn(line, "\n");
    of_line += line[of_line] == '\n';
    n += put_text(out + n, line, of_line);
    line += of_line;
  }
  return out;
}

const char *sl__behind_mark(const char *text) { return text + (strncmp(text, "\xEF\xBB\xBF", 3) ? 0 : 3); }

bool sl__no_text(const char *path, const char *what, const void *raw, sl_error *e) {
  return sl_fail(e, SL_EXIT_INPUT, "save it as text in UTF-8 (a table as CSV), and name that file",
                 "%s: a %s, and this %s", path, what,
                 is_packed(raw) ? "is a spreadsheet or an archive" : "has bytes of zero");
}

// Rows ------------------------------------------------------------------------------------------------------

// The length of a blank, a line end or a mark of byte order; 0: [s] begins with another character.
static size_t blank_at(const char *s) {
  static const char *const blanks[] = {" ",        "\t",           "\r",           "\n",
                                       "\xC2\xA0", "\xE2\x80\x8B", "\xEF\xBB\xBF", "\xE3\x80\x80"};
  for (size_t k = 0; k < sizeof blanks / sizeof *blanks; k++)
    if (!strncmp(s, blanks[k], strlen(blanks[k]))) return strlen(blanks[k]);
  return 0;
}

const char *sl__one_line(sl_arena *a, const char *s) {
  char *out = sl__alloc(a, strlen(s) + 1), *to = out;
  while (*s) {
    const size_t n = blank_at(s);
    if (!n) *to++ = *s;
    else if (to > out && to[-1] != ' ') *to++ = ' ';
    s += n ? n : 1;
  }
  if (to > out && to[-1] == ' ') to--;
  *to = 0;
  return out;
}

// Which character stands between the cells of *text, which goes behind the line "sep=;", if there is one.
static char find_separator(const char **text) {
  static const char marks[] = ",;\t";
  size_t count[sizeof marks] = {0};
  bool quoted = false;
  const char *s = *text, *p = s + (*s == '"');
  if (!strncasecmp(p, "sep=", 4) && p[4] &&
      (p += 5 + (*s == '"')) == s + strcspn(s, "\r\n")) { // Excel's own line
    p += *p == '\r', p += *p == '\n';
    *text = p;
    return s[4 + (*s == '"')];
  }
  for (p = s; *p && (quoted || !strchr("\r\n", *p)); p++) {
    quoted ^= *p == '"';
    const char *mark = quoted ? NULL : strchr(marks, *p);
    if (mark) count[mark - marks]++;
  }
  return count[1] > count[0] ? ';' : count[2] > count[0] ? '\t' : ',';
}

// The end of the cell that begins at [s]; NULL: its quotes are not closed.
static const char *end_of_cell(const char *s, char separator) {
  if (*s == '"') do {
      s = strchr(s + 1, '"');
      if (!s) return NULL;
      s++;
    } while (*s == '"');
  return s + strcspn(s, (const char[]){separator, '\r', '\n', 0});
}

bool sl__cut_csv(const char *path, sl_csv *t, sl_error *e) {
  const char *s = sl__behind_mark(t->text), *first = s;
  t->separator = find_separator(&s);
  t->above = s > first;
  for (size_t line = 1 + t->above; *s; line++) {
    t->rows = sl__more(t->a, t->rows, t->n, sizeof *t->rows);
    sl_csv_row *row = &t->rows[t->n++];
    *row = (sl_csv_row){.line = line};
    for (bool more = true; more; s += more) {
      const char *end = end_of_cell(s, t->separator);
      if (!end)
        return sl_fail(e, SL_EXIT_INPUT, "a quote that begins a cell needs a second one at its end",
                       "%s: line %zu: a quoted cell has no end", path, row->line);
      row->cells = sl__more(t->a, row->cells, row->n, sizeof *row->cells);
      row->cells[row->n++] = (sl_csv_cell){.at = s, .len = (size_t)(end - s)};
      for (; s < end; s++) line += *s == '\n';
      more = *s == t->separator;
    }
    s += *s == '\r';
    s += *s == '\n';
  }
  return t->n || sl_fail(e, SL_EXIT_INPUT, NULL, "%s: is empty", path);
}

const char *sl__cell(const sl_csv *t, size_t row, size_t column) {
  if (row >= t->n || column >= t->rows[row].n) return "";
  const sl_csv_cell *c = &t->rows[row].cells[column];
  const char *s = c->at, *end = s + c->len;
  char *out = sl__alloc(t->a, c->len + 1), *p = out;
  bool quoted = *s == '"';
  for (s += quoted; s < end; s++) {
    if (quoted && *s == '"') quoted = *++s == '"';
    if (s < end) *p++ = *s;
  }
  return sl__one_line(t->a, as_utf8(t->a, out, (size_t)(p - out)));
}

size_t sl__most_cells(const sl_csv *t, size_t without) {
  size_t most = 0;
  for (size_t r = 1; r < t->n; r++)
    if (r != without && (!most || t->rows[r].n < most)) most = t->rows[r].n;
  return most > t->rows[0].n ? most : t->rows[0].n;
}

static bool is_empty_row(const sl_csv *t, size_t row) {
  for (size_t k = 0; k < t->rows[row].n; k++)
    if (*sl__cell(t, row, k)) return false;
  return true;
}

char *sl__read_text(sl_arena *a, const char *path, const char *what, sl_error *e) {
  size_t len;
  SL_FREED unsigned char *raw = sl_read_file(path, MAX_TABLE, &len, e);
  char *text = raw ? decode(a, raw, len) : NULL;
  if (raw && !text) sl__no_text(path, what, raw, e);
  return text;
}

bool sl__read_csv(sl_arena *a, const char *path, const char *what, sl_csv *t, sl_error *e) {
  *t = (sl_csv){.a = a, .text = sl__read_text(a, path, sl__str(a, "%s is a table as text (CSV)", what), e)};
  if (!t->text || !sl__cut_csv(path, t, e)) return false;
  size_t kept = 0;
  for (size_t r = 0; r < t->n; r++)
    if (!is_empty_row(t, r)) t->rows[kept++] = t->rows[r];
  t->n = kept;
  return t->n || sl_fail(e, SL_EXIT_INPUT, NULL, "%s: is empty", path);
}
