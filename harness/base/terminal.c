// What is printed fits the terminal: lines that are wider are set anew.
//
// Interface: sl_columns, sl_is_terminal, sl_fit_terminal (base.h). Between sl_fit_terminal and the end of the
// program all of stdout and stderr passes through put_line. A line that fits stays as it is. Another one is
// broken at blanks. In a row of a table each cell stays whole where it can. A command stays one that can be
// copied: its lines end with a backslash. A word that is wider than a line is left to the terminal, so that a
// path can be clicked on; so are lines of JSON, and lines that go back in their line.
#include "base/base.h"

#include <ctype.h>
#include <sys/ioctl.h>

static int width_of(int fd) {
  const char *set = getenv("COLUMNS");
  struct winsize w;
  int64_t columns;
  if (!isatty(fd)) return 0;
  if (set && sl_parse_int(set, 1, 10000, &columns)) return (int)columns;
  return ioctl(fd, TIOCGWINSZ, &w) == 0 ? w.ws_col : 0;
}

int sl_columns(int fd, int most) {
  enum { LEAST = 20 };
  const char *of_parent = getenv(SL_COLUMNS_OF_PARENT);
  int64_t columns;
  int width = width_of(fd);
  if (!width && of_parent && sl_parse_int(of_parent, 1, 10000, &columns)) width = (int)columns;
  if (!width || width > most) return most;
  return width < LEAST ? LEAST : width;
}

// A stream of this file has no descriptor of its own.
bool sl_is_terminal(FILE *f) {
  return isatty(f == stdout ? STDOUT_FILENO : f == stderr ? STDERR_FILENO : fileno(f));
}

// Text that is being set ------------------------------------------------------------------------------------

typedef struct setting {
  FILE *to;
  int most, column, indent; // columns: a line may have most, and has column; further lines begin at indent
  bool begun, command;      // has the line a word? its lines are to be one command
  bool table;               // may it be part of a table?
} setting;

// The columns of [len] bytes: not those of escape sequences, and one for a character of several bytes.
static int columns_of(const char *s, size_t len) {
  int n = 0;
  for (size_t k = 0; k < len; k++) {
    if (s[k] == '\x1b')
      while (k + 1 < len && !isalpha((unsigned char)s[k])) k++;
    else n += ((unsigned char)s[k] & 0xc0) != 0x80;
  }
  return n;
}

static void new_line(setting *s) {
  fprintf(s->to, "%s\n%*s", s->command ? " \\" : "", s->indent, "");
  s->column = s->indent, s->begun = false;
}

// Writes [len] bytes that stay together, [gap] blanks before them if they are not the first of their line.
static void put_whole(setting *s, const char *text, size_t len, int gap) {
  const int n = columns_of(text, len), room = s->most - (s->command ? 2 : 0);
  if (s->begun && s->column + gap + n > room) new_line(s);
  else if (s->begun) s->column += fprintf(s->to, "%*s", gap, "");
  fwrite(text, 1, len, s->to);
  s->column += n, s->begun = true;
}

static bool is_command(const char *cell, size_t len) {
  static const char name[] = "scanlab";
  const size_t word = strcspn(cell, " "), n = sizeof name - 1;
  if (word >= len || word < n || strncmp(cell + word - n, name, n) != 0) return false;
  return word == n ? !memmem(cell, len, ": ", 2) : cell[word - n - 1] == '/';
}

// What stands between two gaps of a line: whole, or word by word.
static void put_cell(setting *s, const char *cell, size_t len, int gap) {
  const int most = s->most - s->indent;
  if (columns_of(cell, len) <= most) return put_whole(s, cell, len, gap);
  s->command = is_command(cell, len);
  for (size_t k = 0, word; k < len; k += word, gap = 1) {
    k += strspn(cell + k, " ");
    word = strcspn(cell + k, " ");
    if (word > len - k) word = len - k;
    put_whole(s, cell + k, word, gap);
  }
  s->command = false;
}

// The bytes up to a gap of two blanks or the end.
static size_t cell_length(const char *s, size_t len) {
  for (size_t k = 0; k + 1 < len; k++)
    if (s[k] == ' ' && s[k + 1] == ' ') return k;
  return len;
}

// Source text beside its line number, or the mark below it: the rest of it is cut.
static bool is_source(const char *s) {
  s += strspn(s, " ");
  s += strspn(s, "0123456789");
  return !strncmp(s, " | ", 3) || !strncmp(s, "| ", 2);
}

// The bytes of the first [columns] columns.
static size_t bytes_of(const char *s, size_t len, int columns) {
  while (columns_of(s, len) > columns) len--;
  return len;
}

static bool stays(const char *s, size_t len) {
  const size_t first = strspn(s, " ");
  return memchr(s, '\r', len) || (first < len && strchr("{}[]\"", s[first]));
}

// Tables ----------------------------------------------------------------------------------------------------

// The heading that is wider than the terminal, whose rows are set as lists; "": none.
static struct {
  bool next; // the next line is a heading
  char text[512];
} heading;

void sl_heading(FILE *f) {
  if (!sl_is_terminal(f)) return;
  fflush(f);
  heading.next = true;
}

// How far the cell [a, b) is from [from, to).
static size_t distance(size_t a, size_t b, size_t from, size_t to) {
  return b < from ? from - b : to < a ? a - to : 0;
}

// The words of the heading nearest to what stands in [a, b) of a row.
static size_t label_of(size_t a, size_t b, const char **label) {
  size_t best = SIZE_MAX, length = 0;
  const size_t len = strlen(heading.text);
  for (size_t k = 0, cell; k < len; k += cell) {
    k += strspn(heading.text + k, " ");
    cell = cell_length(heading.text + k, len - k);
    if (distance(k, k + cell, a, b) < best)
      best = distance(k, k + cell, a, b), *label = heading.text + k, length = cell;
  }
  return length;
}

// The first cell, and the others behind their words of the heading.
static void put_row(setting *s, const char *line, size_t len) {
  for (size_t k = 0, cell, n = 0; k < len; k += cell, n++) {
    const char *label = "";
    k += strspn(line + k, " ");
    cell = cell_length(line + k, len - k);
    const int label_len = n ? (int)label_of(k, k + cell, &label) : 0;
    SL_FREED char *whole = sl_path("%.*s%s%.*s", label_len, label, n ? " " : "", (int)cell, line + k);
    put_cell(s, whole, strlen(whole), 2);
    s->indent = 2;
  }
}

// Is it the heading of a table that becomes a list? An empty line ends such a table.
static bool is_heading(const setting *s, const char *line, size_t len) {
  const bool head = s->table && heading.next,
             wide = len < sizeof heading.text && columns_of(line, len) > s->most;
  if (s->table && (head || !len))
    snprintf(heading.text, sizeof heading.text, "%.*s", head && wide ? (int)len : 0, line);
  if (head) heading.next = false;
  return head && wide;
}

// Lines -----------------------------------------------------------------------------------------------------

// A line, [len] bytes.
static void set_line(setting *s, const char *line, size_t len) {
  size_t k = strspn(line, " ");
  if (s->table && heading.text[0]) return put_row(s, line, len);
  if (k >= len || columns_of(line, len) <= s->most || stays(line, len)) {
    fwrite(line, 1, len, s->to);
    return;
  }
  enum { MOST_BLANKS = 6 }; // in front: what stood below a word of a line before stands there no more
  if (is_source(line)) {
    fprintf(s->to, "%.*s..", (int)bytes_of(line, len, s->most - 2), line);
    return;
  }
  const int first = (int)k < MOST_BLANKS ? (int)k : MOST_BLANKS;
  fprintf(s->to, "%*s", first, "");
  s->column = first, s->indent = first + 2;
  for (size_t cell; k < len; k += cell) {
    k += strspn(line + k, " ");
    cell = cell_length(line + k, len - k);
    put_cell(s, line + k, cell, 2);
  }
}

static void put_line(setting *s, const char *line, size_t len) {
  while (len && line[len - 1] == ' ') len--;
  if (is_heading(s, line, len)) return;
  set_line(s, line, len);
  fputc('\n', s->to);
}

// Streams ---------------------------------------------------------------------------------------------------

// What does not end a line waits for no more: it is a question, or what a long step is about.
static ssize_t put_stream(void *cookie, const char *text, size_t len) {
  const int fd = *(const int *)cookie, most = width_of(fd);
  SL_FREED char *copy = most ? malloc(len + 1) : NULL, *out = NULL;
  size_t length;
  FILE *to = copy ? open_memstream(&out, &length) : NULL;
  if (!to) return sl_write_all(fd, text, len) ? (ssize_t)len : 0;
  memcpy(copy, text, len), copy[len] = 0;
  for (size_t k = 0; k < len;) {
    const char *end = memchr(copy + k, '\n', len - k);
    const size_t n = end ? (size_t)(end - (copy + k)) : len - k;
    copy[k + n] = 0;
    if (end) put_line(&(setting){.to = to, .most = most, .table = fd == STDOUT_FILENO}, copy + k, n);
    else fwrite(copy + k, 1, n, to);
    k += n + (end != NULL);
  }
  fclose(to);
  return sl_write_all(fd, out, length) ? (ssize_t)len : 0;
}

static FILE *fitted(FILE *was, const int *fd) {
  FILE *f = fopencookie((void *)(uintptr_t)fd, "w", (cookie_io_functions_t){.write = put_stream});
  if (!f) return was;
  fflush(was);
  setvbuf(f, NULL, _IOLBF, 1 << 16);
  return f;
}

void sl_fit_terminal(void) {
  static const int out = STDOUT_FILENO, err = STDERR_FILENO;
  static bool done;
  if (done) return;
  done = true;
  if (width_of(out)) stdout = fitted(stdout, &out);
  if (width_of(err)) stderr = fitted(stderr, &err);
}
