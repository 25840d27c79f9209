// What the compiler says of a file that does not build: each error once, at the student's own line, and what
// to do about it.
//
// Interface: student.h, said.c. The compiler repeats an error for each set of template arguments, shows lines
// as the preprocessor left them, and tells a missing semicolon at the line behind it.
#include "student.h"

#include <ctype.h>
#include <fnmatch.h>

enum { MOST = 3 }; // errors that are shown: later ones often follow from the first

typedef struct said {
  const char *words, *rest; // of the log: the error, and the lines below it
  int words_len, rest_len;
  unsigned line, column, times;
} said;

typedef struct text {
  const char *at;
  int len;
} text;

static text line_of(const char *from) { return (text){from, (int)strcspn(from, "\n")}; }
static const char *behind(text t) { return t.at + t.len + (t.at[t.len] == '\n'); }

static text source_line(const char *source, unsigned number) { return line_of(sl_line_at(source, number)); }

static int indent_of(text t) {
  int n = 0;
  while (n < t.len && isspace((unsigned char)t.at[n])) n++;
  return n;
}

// The line without its comment, with blanks for what stands in quotes; malloc'ed.
static char *code_of(text t) {
  char *code = sl_path("%.*s", t.len, t.at);
  for (char *at = code; *at; at++) {
    const size_t quoted = sl_quoted_length(at);
    if (quoted) memset(at + 1, ' ', quoted - 1), at += quoted - 1;
    if (!quoted && sl_comment_length(at)) {
      *at = 0;
      break;
    }
  }
  for (size_t n = strlen(code); n > 0 && isspace((unsigned char)code[n - 1]); n--) code[n - 1] = 0;
  return code;
}

// Reading the log -------------------------------------------------------------------------------------------

// "kernel.cu(31): error: ..", "kernel.cu:31:5: error: ..": the place, and the words behind "error: ".
static bool read_head(text head, const char *name, said *s) {
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
static bool begins_message(text t) { return t.len == 0 || !isspace((unsigned char)t.at[0]); }

// The next error of the file at *[log] or behind; *[log] moves behind it.
static bool next_error(const char **log, const char *name, said *s) {
  while (**log) {
    const text head = line_of(*log);
    *log = behind(head);
    if (!read_head(head, name, s)) continue;
    s->rest = *log;
    while (**log && !begins_message(line_of(*log))) *log = behind(line_of(*log));
    s->rest_len = (int)(*log - s->rest);
    return true;
  }
  return false;
}

// The line of the message that holds nothing but a caret, and the one before it.
static bool find_caret(const said *s, text *shown, int *caret) {
  const char *end = s->rest + s->rest_len;
  *shown = (text){"", 0};
  for (text t = line_of(s->rest); t.at < end; *shown = t, t = line_of(behind(t))) {
    const int blanks = indent_of(t);
    if (blanks + 1 == t.len && t.at[blanks] == '^') return *caret = blanks, shown->len > 0;
  }
  return false;
}

// Places ----------------------------------------------------------------------------------------------------

static int common_before(text a, int i, text b, int j) {
  int n = 0;
  while (n < i && n < j && a.at[i - n - 1] == b.at[j - n - 1]) n++;
  return n;
}
static int common_behind(text a, int i, text b, int j) {
  int n = 0;
  while (i + n < a.len && j + n < b.len && a.at[i + n] == b.at[j + n]) n++;
  return n;
}

// Where the text at [caret] of what the compiler shows stands in the student's line: where most around it is
// the same. Without such a place: where the line begins.
static unsigned column_in(text own, text shown, int caret) {
  int best = -1, most = 0;
  for (int k = 0; k < own.len; k++) {
    const int same = common_behind(own, k, shown, caret);
    if (!same || isspace((unsigned char)own.at[k])) continue;
    const int all = same + common_before(own, k, shown, caret);
    if (all > most) most = all, best = k;
  }
  return (unsigned)(best < 0 ? indent_of(own) : best) + 1;
}

static bool words_are(const said *s, const char *words) {
  return s->words_len == (int)strlen(words) && !strncmp(s->words, words, (size_t)s->words_len);
}

// A missing semicolon belongs behind the statement before, not at the line where the compiler noticed.
static void move_back(const char *source, said *s) {
  const text own = source_line(source, s->line);
  if (!words_are(s, "expected a \";\"") || (int)s->column != indent_of(own) + 1) return;
  for (unsigned line = s->line - 1; line > 0; line--) {
    const text t = source_line(source, line);
    SL_FREED char *code = code_of(t);
    const size_t len = strlen(code);
    if (!len || code[indent_of(t)] == '#') continue;
    s->line = line, s->column = (unsigned)len + 1;
    return;
  }
}

static void find_column(const char *source, said *s) {
  text shown;
  int caret;
  if (!s->column)
    s->column = find_caret(s, &shown, &caret) ? column_in(source_line(source, s->line), shown, caret) : 1;
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

// What to do ------------------------------------------------------------------------------------------------

// The first name in quotes; malloc'ed.
static char *name_in(const char *words) {
  const char *from = strchr(words, '"'), *to = from ? strpbrk(from + 1, "\"(") : NULL;
  return to ? sl_path("%.*s", (int)(to - from - 1), from + 1) : sl_path("%s", "");
}

// A name of CUDA that is near to one that nobody declared; NULL: none is.
static const char *near_name(const char *name) {
  static const char *const names[] = {
      "__syncthreads", "__syncwarp",       "__threadfence",   "__shared__",      "__global__",
      "__device__",    "__shfl_up_sync",   "__shfl_sync",     "__ballot_sync",   "__match_any_sync",
      "threadIdx",     "blockIdx",         "blockDim",        "gridDim",         "warpSize",
      "atomicAdd",     "cudaMalloc",       "cudaFree",        "cudaMemset",      "cudaMemcpy",
      "cudaSuccess",   "cudaGetLastError", "cudaMemsetAsync", "cudaMemcpyAsync", "cudaDeviceSynchronize",
      "cudaError_t",   "size_t",           "uint32_t",        "unsigned",        NULL};
  if (!strncmp("syncthreads", name, 5) && strcasestr(name, "thread")) return names[0];
  for (size_t k = 0; names[k]; k++)
    if (!strcasecmp(names[k], name)) return names[k];
  return strlen(name) > 5 ? sl_nearest(name, names) : NULL;
}

// Does the text before position [at] of the line end with the word?
static bool ends_with(text t, int at, const char *word) {
  const int len = (int)strlen(word);
  while (at > 0 && t.at[at - 1] == ' ') at--;
  return at >= len && !strncmp(t.at + at - len, word, (size_t)len) &&
         (at == len || !sl_in_word(t.at[at - len - 1]));
}

// "Op::T" in the line, of a parameter Op of a template, without "typename" before it; malloc'ed, or NULL.
static char *without_typename(const char *source, text own) {
  for (int k = 1; k + 2 < own.len; k++) {
    int from = k, to = k + 2;
    if (strncmp(own.at + k, "::", 2) != 0) continue;
    while (from > 0 && sl_in_word(own.at[from - 1])) from--;
    while (to < own.len && sl_in_word(own.at[to])) to++;
    SL_FREED char *parameter = sl_path("class %.*s", k - from, own.at + from);
    if (from < k && to > k + 2 && own.at[to] != '(' && strstr(source, parameter) &&
        !ends_with(own, from, "typename"))
      return sl_path("%.*s", to - from, own.at + from);
  }
  return NULL;
}

// Is a template's argument missing at the name in the line? A launch's <<< is none.
static bool lacks_argument(text own, const char *name) {
  const char *at = memmem(own.at, (size_t)own.len, name, strlen(name));
  if (!at || !*name) return false;
  at += strlen(name);
  return *at != '<' || !strncmp(at, "<<<", 3);
}

// The line of the last { before [line] that a } less far to the right has closed. 0: none.
static unsigned open_brace(const char *source, unsigned line) {
  enum { DEEPEST = 64 };
  struct {
    unsigned line;
    int indent;
  } open[DEEPEST];
  int depth = 0;
  text t = line_of(source);
  for (unsigned k = 1; k < line && *t.at; k++, t = line_of(behind(t))) {
    SL_FREED char *code = code_of(t);
    const int indent = indent_of(t);
    for (int i = 0; code[i]; i++) {
      if (code[i] == '{' && depth < DEEPEST) open[depth].line = k, open[depth++].indent = indent;
      if (code[i] != '}' || !depth) continue;
      depth--;
      if (i == indent && indent < open[depth].indent) return open[depth].line;
    }
  }
  return depth ? open[depth - 1].line : 0;
}

// Does the name that begins at [k] of the line get a type there, as in "float x = 1;"? Behind it ends, or
// begins, what it declares.
static bool declares_at(const char *code, size_t k, size_t len) {
  size_t before = k, behind = k + len + strspn(code + k + len, " ");
  while (before > 0 && strchr(" *&", code[before - 1])) before--;
  const bool typed = before > 0 && before < k && sl_in_word(code[before - 1]);
  const char *word = code + before;
  while (word > code && sl_in_word(word[-1])) word--;
  return typed && strchr("=;,[)", code[behind]) && code[behind] && strncmp(word, "return", 6) &&
         strncmp(word, "else", 4);
}

// The line that declares the name, other than [line]; 0: none does.
static unsigned declared_in(const char *source, const char *name, unsigned line) {
  const size_t len = strlen(name);
  text t = line_of(source);
  for (unsigned k = 1; *t.at; k++, t = line_of(behind(t))) {
    SL_FREED char *code = code_of(t);
    for (char *at = strstr(code, name); at && k != line; at = strstr(at + 1, name))
      if (!sl_in_word(at[len]) && declares_at(code, (size_t)(at - code), len)) return k;
  }
  return 0;
}

// What to do about a name that nobody knows; malloc'ed, or NULL.
static char *advise_name(const char *source, const said *s, const char *name) {
  const char *near = near_name(name);
  const unsigned line = s->line, other = near || !*name ? 0 : declared_in(source, name, line);
  if (near) return sl_path("did you mean %s?", near);
  if (other > line) return sl_path("it is declared in line %u, below", other);
  return other ? sl_path("line %u declares it, but only for the braces or the statement it stands in", other)
               : NULL;
}

static char *advice_of_table(const char *words, const char *line) {
  static const struct {
    const char *words, *source, *advice;
  } rows[] = {
#define ADVICE(WORDS, SOURCE, TEXT) {WORDS, SOURCE, TEXT},
#include "tools/student/advice.def"
#undef ADVICE
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    if (fnmatch(rows[k].words, words, 0) != 0 || fnmatch(rows[k].source, line, 0) != 0) continue;
    SL_FREED char *name = name_in(words);
    const char *at = strstr(rows[k].advice, "%1$s");
    if (!at) return sl_path("%s", rows[k].advice);
    return sl_path("%.*s%s%s", (int)(at - rows[k].advice), rows[k].advice, name, at + 4);
  }
  return NULL;
}

// The line from its first word on, with @ at the place of the error; malloc'ed.
static char *marked(text own, int at) {
  const int from = indent_of(own), place = at < from || at > own.len ? from : at;
  return sl_path("%.*s@%.*s", place - from, own.at + from, own.len - place, own.at + place);
}

// Errors whose advice depends on the rest of the file; each malloc'ed, or NULL.
static char *advise_brace(const char *source, const said *s, const char *) {
  const unsigned line = open_brace(source, s->line);
  return line ? sl_path("the { in line %u has no }", line) : NULL;
}
static char *advise_argument(const char *source, const said *s, const char *name) {
  if (!lacks_argument(source_line(source, s->line), name)) return NULL;
  return sl_path("%s is a template: the call says for what, as in %s<Op>", name, name);
}
static char *advise_typename(const char *source, const said *s, const char *) {
  SL_FREED char *type = without_typename(source, source_line(source, s->line));
  return type ? sl_path("the compiler does not know yet that it is a type: write typename %s", type) : NULL;
}

// What to do about the error; malloc'ed, or NULL.
static char *advice_for(const char *source, const said *s) {
  static const struct {
    const char *words;
    char *(*advise)(const char *source, const said *s, const char *name);
  } rows[] = {{"linkage specification is not allowed", advise_brace},
              {"no instance of function template *", advise_argument},
              {"nontype * is not a type name", advise_typename},
              {"incomplete type \"void\" is not allowed", advise_typename},
              {"identifier * is undefined*", advise_name}};
  const text own = source_line(source, s->line);
  SL_FREED char *words = sl_path("%.*s", s->words_len, s->words), *name = name_in(words),
                *line = marked(own, (int)s->column - 1);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    char *advice = fnmatch(rows[k].words, words, 0) ? NULL : rows[k].advise(source, s, name);
    if (advice) return advice;
  }
  return advice_of_table(words, line);
}

// Showing ---------------------------------------------------------------------------------------------------

// The student's line with a caret below; of a long one the part around it.
static void show_source(FILE *f, const char *source, const said *s) {
  const text own = source_line(source, s->line);
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
  for (text t = line_of(s->rest); t.at < end; t = line_of(behind(t))) {
    SL_FREED char *line = sl_path("%.*s", t.len - indent_of(t), t.at + indent_of(t));
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
  SL_FREED char *advice = advice_for(source, s),
                *times = s->times > 1 ? sl_path(" (told %u times)", s->times) : sl_path("%s", ""),
                *place = sl_path("    %s:%u:%u: error: ", file, s->line, s->column),
                *words = sl_path("%.*s%s", s->words_len, s->words, times);
  sl__wrap(f, place, "        ", words);
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
