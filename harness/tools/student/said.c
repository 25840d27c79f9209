// What the compiler says of a file that does not build: each error once, at its line, and what to do.
//
// Interface: student.h; advise.c says what to do. The compiler repeats an error for each set of template
// arguments, shows lines as the preprocessor left them, and tells a missing semicolon at the line behind it.
#include "said.h"

#include <fnmatch.h>

enum { MOST = 3 }; // errors that are shown: later ones often follow from the first

typedef struct said {
  const char *words, *rest; // of the log: the error, and the lines below it
  int words_len, rest_len;
  unsigned line, column, times;
} said;

// Reading the log -------------------------------------------------------------------------------------------

// "kernel.cu(31): error: ..", "kernel.cu:31:5: error: ..": the place, and the words behind "error: ".
static bool read_head(sl_text head, const char *name, said *s) {
  const size_t len = strlen(name);
  SL_FREED char *line = sl_path("%.*s", head.len, head.at);
  unsigned number = 0, column = 0;
  int used = 0;
  if (strncmp(line, name, len) != 0) return false;
  if (sscanf(line + len, "(%u): %n", &number, &used) != 1 || !used)
    if (sscanf(line + len, ":%u:%u: %n", &number, &column, &used) != 2 || !used) return false;
  const char *words = line + len + used;
  if (!strncmp(words, "fatal ", 6)) words += 6;
  if (strncmp(words, "error", 5) != 0 || !(words = strstr(words, ": "))) return false;
  words += 2;
  *s = (said){.words = head.at + (words - line),
              .words_len = head.len - (int)(words - line),
              .line = number,
              .column = column,
              .times = 1};
  return true;
}

// Does a line begin another message? What belongs to one is moved to the right.
static bool begins_message(sl_text t) { return t.len == 0 || !isspace((unsigned char)t.at[0]); }

// The next error of the file at *[log] or behind; *[log] moves behind it.
static bool next_error(const char **log, const char *name, said *s) {
  while (**log) {
    const sl_text head = sl__line_of(*log);
    *log = sl__behind(head);
    if (!read_head(head, name, s)) continue;
    s->rest = *log;
    while (**log && !begins_message(sl__line_of(*log))) *log = sl__behind(sl__line_of(*log));
    s->rest_len = (int)(*log - s->rest);
    return true;
  }
  return false;
}

// The line of the message that holds nothing but a caret, and the one before it.
static bool find_caret(const said *s, sl_text *shown, int *caret) {
  const char *end = s->rest + s->rest_len;
  *shown = (sl_text){"", 0};
  for (sl_text t = sl__line_of(s->rest); t.at < end; *shown = t, t = sl__line_of(sl__behind(t))) {
    const int blanks = sl__indent_of(t);
    if (blanks + 1 == t.len && t.at[blanks] == '^') return *caret = blanks, shown->len > 0;
  }
  return false;
}

// Places ----------------------------------------------------------------------------------------------------

static int common_before(sl_text a, int i, sl_text b, int j) {
  int n = 0;
  while (n < i && n < j && a.at[i - n - 1] == b.at[j - n - 1]) n++;
  return n;
}
static int common_behind(sl_text a, int i, sl_text b, int j) {
  int n = 0;
  while (i + n < a.len && j + n < b.len && a.at[i + n] == b.at[j + n]) n++;
  return n;
}

// Where the text at [caret] of what the compiler shows stands in the student's line: where most around it is
// the same. Without such a place: where the line begins.
static unsigned column_in(sl_text own, sl_text shown, int caret) {
  int best = -1, most = 0;
  for (int k = 0; k < own.len; k++) {
    const int same = common_behind(own, k, shown, caret);
    if (!same || isspace((unsigned char)own.at[k])) continue;
    const int all = same + common_before(own, k, shown, caret);
    if (all > most) most = all, best = k;
  }
  return (unsigned)(best < 0 ? sl__indent_of(own) : best) + 1;
}

static bool words_are(const said *s, const char *words) {
  return s->words_len == (int)strlen(words) && !strncmp(s->words, words, (size_t)s->words_len);
}

// A missing semicolon belongs behind the statement before, not at the line where the compiler noticed.
static void move_back(const char *source, said *s) {
  const sl_text own = sl__source_line(source, s->line);
  if (!words_are(s, "expected a \";\"") || (int)s->column != sl__indent_of(own) + 1) return;
  for (unsigned line = s->line - 1; line > 0; line--) {
    const sl_text t = sl__source_line(source, line);
    SL_FREED char *code = sl__code_of(t);
    const size_t len = strlen(code);
    if (!len || code[sl__indent_of(t)] == '#') continue;
    s->line = line, s->column = (unsigned)len + 1;
    return;
  }
}

static void find_column(const char *source, said *s) {
  sl_text shown;
  int caret;
  if (!s->column)
    s->column = find_caret(s, &shown, &caret) ? column_in(sl__source_line(source, s->line), shown, caret) : 1;
  move_back(source, s);
}

// The same error? What stands in quotes differs where a template is compiled for several types.
static bool alike(const said *a, const said *b) {
  if (a->line != b->line || a->column != b->column) return false;
  const char *p = a->words, *q = b->words, *p_end = p + a->words_len, *q_end = q + b->words_len;
  for (bool quoted = false; p < p_end && q < q_end; p++, q++) {
    while (quoted && p < p_end && *p != '"') p++;
    while (quoted && q < q_end && *q != '"') q++;
    if (p == p_end || q == q_end || *p != *q) break;
    quoted ^= *p == '"';
  }
  return p == p_end && q == q_end;
}

static said *find_alike(said *all, size_t n, const said *s) {
  for (size_t k = 0; k < n; k++)
    if (alike(&all[k], s)) return &all[k];
  return NULL;
}

// A call that is refused is said to be of an unknown name, too.
static bool follows(const said *last, const said *s) {
  SL_FREED char *words = sl_path("%.*s", s->words_len, s->words);
  return last && last->line == s->line && fnmatch("identifier * is undefined in device code", words, 0) == 0;
}

// The different errors, at most MOST; *[more]: how many are left out.
static size_t collect(const char *log, const char *name, const char *source, said all[static MOST],
                      size_t *more) {
  size_t n = 0;
  said s;
  *more = 0;
  while (next_error(&log, name, &s)) {
    find_column(source, &s);
    said *same = find_alike(all, n, &s);
    if (same) same->times++;
    else if (follows(n ? &all[n - 1] : NULL, &s)) continue;
    else if (n < MOST) all[n++] = s;
    else ++*more;
  }
  return n;
}

// Showing ---------------------------------------------------------------------------------------------------

// The student's line with a caret below; of a long one the part around it.
static void show_source(FILE *f, const char *source, const said *s) {
  const sl_text own = sl__source_line(source, s->line);
  const int before = 11, room = sl__width() - before - 2, at = (int)s->column - 1,
            from = at < room - 4 ? 0 : at - room / 2, len = own.len - from < room ? own.len - from : room;
  fprintf(f, "   %5u | ", s->line);
  for (int k = from; k < from + len; k++) fputc(own.at[k] == '\t' ? ' ' : own.at[k], f);
  fprintf(f, "\n         | %*s^\n", at - from, "");
}

// "argument types are: (..)", and with what a template was compiled.
static void show_rest(FILE *f, const said *s) {
  const char *end = s->rest + s->rest_len;
  bool told = false;
  for (sl_text t = sl__line_of(s->rest); t.at < end; t = sl__line_of(sl__behind(t))) {
    SL_FREED char *line = sl_path("%.*s", t.len - sl__indent_of(t), t.at + sl__indent_of(t));
    char *with = strstr(line, " [with "), *to = with ? strchr(with, ']') : NULL;
    if (!strncmp(line, "argument types are", 18) || !strncmp(line, "operand types are", 17))
      sl__wrap(f, "           ", "           ", line);
    if (!to || told) continue;
    SL_FREED char *used = sl_path("%.*s%s", (int)(to - with - 2), with + 2, to[1] == '"' ? to + 2 : "");
    sl__wrap(f, "           ", "           ", used);
    told = true;
  }
}

static void show(FILE *f, const char *file, const char *source, const said *s) {
  SL_FREED char *words = sl_path("%.*s", s->words_len, s->words),
                *advice = sl__advise(source, words, s->line, s->column),
                *times = s->times > 1 ? sl_path(" (told %u times)", s->times) : sl_path("%s", ""),
                *place = sl_path("    %s:%u:%u: error: ", file, s->line, s->column),
                *text = sl_path("%s%s", words, times);
  sl__wrap(f, place, "        ", text);
  show_source(f, source, s);
  show_rest(f, s);
  if (advice) sl__wrap(f, "      do   ", "           ", advice);
  fputc('\n', f);
}

// What the linker looked for and did not find, or found twice, is told by its name.
bool sl__unlinked(FILE *f, const char *log, const char *file) {
  static const struct {
    const char *sign, *words, *advice;
  } rows[] = {{"undefined reference to `", "is called, and defined nowhere",
               "compare its name, its parameters and extern \"C\" with the skeleton's or with the call"},
              {"multiple definition of `", "is defined here, and in the course already",
               "leave yours out, or give it another name"}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const char *at = strstr(log, rows[k].sign), *name = at ? at + strlen(rows[k].sign) : NULL;
    if (!name) continue;
    SL_FREED char *place = sl_path("    %s: error: ", file),
                  *words = sl_path("%.*s %s", (int)strcspn(name, "'\n"), name, rows[k].words);
    sl__wrap(f, place, "        ", words);
    sl__wrap(f, "      do   ", "           ", rows[k].advice);
    fputc('\n', f);
    return true;
  }
  return false;
}

unsigned sl__said(FILE *f, const char *log, const char *file, const char *source) {
  said all[MOST];
  size_t more;
  const size_t n = collect(log, sl_base_name(file), source, all, &more);
  for (size_t k = 0; k < n; k++) show(f, file, source, &all[k]);
  if (more) fprintf(f, "    (+%zu more errors)\n\n", more);
  return n ? all[0].line : 0;
}
