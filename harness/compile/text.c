// Preprocesses a kernel behind the headers that were read once: what is left of them for the preprocessor is
// the macros that they leave behind, and their text is put in front of the result.
//
// Interface: steps.h. NAME.macros holds those macros, NAME.text the text (headers.c). Wherever this could
// give another text than the whole source does, or the preprocessor says anything, it reads the whole
// source; also for a kernel that names what the headers' text leaves out (left_out.c).
#include "compile/steps.h"

enum { MAX_COUNTED = 1024 };

// A file of this side of the compilation, in quotes; malloc'ed.
static char *quoted(unsigned kind, const char *name) {
  return sl_path("\"%s.%s\"", sl__side_names[kind], name);
}

static char *side_file(unsigned kind, const char *name) {
  return sl_path("%s.%s", sl__side_names[kind], name);
}

// The command without its -include words, and another one in place of " -E ".
static char *without_includes(const char *command, const char *preprocess) {
  static const char word[] = " -include \"";
  char *text = sl__with(command, " -E ", preprocess);
  for (char *at = text; at && (at = strstr(at, word));) {
    const char *end = strchr(at + strlen(word), '"');
    if (!end) return free(text), NULL;
    memmove(at, end + 1, strlen(end + 1) + 1);
  }
  return text;
}

// The command, which is freed, for another output and, unless NULL, another source. Both end it, in quotes.
static char *with_names(char *command, const char *source, const char *output) {
  const char *const to = command ? strstr(command, "\" -o \"") : NULL,
                    *from = to ? memrchr(command, '"', (size_t)(to - command)) : NULL;
  const int left = !from ? 0 : (int)((source ? from : to + 1) - command);
  char *named = from ? sl_path("%.*s%s -o %s", left, command, source ? source : "", output) : NULL;
  free(command);
  return named;
}

// Preparing -------------------------------------------------------------------------------------------------

// What the headers give, with macros' directives, and how often they asked for __COUNTER__; malloc'ed.
static char *directives(const steps *s, unsigned kind) {
  static const char text[] = "__COUNTER__\n";
  SL_FREED char *source = side_file(kind, "counter.cu"), *output = side_file(kind, "counter.ii"),
                *in = quoted(kind, "counter.cu"), *out = quoted(kind, "counter.ii"),
                *log = side_file(kind, "said.log");
  SL_FREED char *command = with_names(sl__with(s->command[kind], " -E ", " -E -dD "), in, out);
  struct stat said;
  if (!command || !sl_write_passing(source, text, strlen(text), NULL) ||
      sl__run_step(kind, command, log, -1).code != 0 || stat(log, &said) != 0 || said.st_size)
    return NULL;
  return sl_read_file(output, MAX_TEXT, NULL, NULL);
}

// The last line's number. -1: it is none.
static int counted(const char *text) {
  const char *last = memrchr(text, '\n', strlen(text) - 1);
  SL_FREED char *number = last ? sl_path("%.*s", (int)strcspn(last + 1, "\n"), last + 1) : NULL;
  int64_t n = -1;
  return number && sl_parse_int(number, 0, MAX_COUNTED, &n) ? (int)n : -1;
}

// Does a header ask to be read once by a pragma? That is no macro.
static bool says_once(const char *text) {
  static const char enters[] = "\n# 1 \"";
  for (const char *at = text; (at = strstr(at, enters));) {
    const char *name = at + strlen(enters), *end = strchr(name, '"');
    if (!end) return true;
    at = end;
    if (end[1] != ' ' || end[2] != '1') continue;
    SL_FREED char *path = sl_path("%.*s", (int)(end - name), name);
    SL_FREED char *header = sl_read_file(path, MAX_TEXT, NULL, NULL);
    if (!header || strstr(header, "pragma once") || strstr(header, "#import")) return true;
  }
  return false;
}

// A #define or #undef.
typedef struct directive {
  const char *line, *name;
  size_t len, name_len;
  bool in_system; // its macros are expanded in another way
} directive;

static bool take_directive(directive *d, const char *line, size_t len) {
  static const char *const words[] = {"#define ", "#undef ", NULL};
  for (const char *const *word = words; *word; word++) {
    if (strncmp(line, *word, strlen(*word)) != 0) continue;
    d->line = line, d->len = len, d->name = line + strlen(*word), d->name_len = strcspn(d->name, " (\n");
    return true;
  }
  return false;
}

// Where a line of the text comes from.
typedef enum place { COMPILER, HEADER, SYSTEM_HEADER } place;

// A line of the form # NUMBER "FILE" FLAGS, where "<" begins what is no file, and flag 3 is a system header.
static void take_place(const char *line, size_t len, place *p) {
  const char *name = len > 4 && line[0] == '#' && line[1] == ' ' ? memchr(line, '"', len) : NULL,
             *end = name ? memrchr(line, '"', len) : NULL;
  if (!end) return;
  if (name[1] == '<') *p = COMPILER;
  else *p = memchr(end, '3', (size_t)(line + len - end)) ? SYSTEM_HEADER : HEADER;
}

// By name, in the order of the text.
static int by_name(const void *a, const void *b) {
  const directive *x = a, *y = b;
  const size_t len = x->name_len < y->name_len ? x->name_len : y->name_len;
  const int order = memcmp(x->name, y->name, len);
  if (order || x->name_len != y->name_len) return order ? order : x->name_len < y->name_len ? -1 : 1;
  return (x->name > y->name) - (x->name < y->name);
}

// The directives of the headers in [text], sorted; malloc'ed.
static directive *sorted(const char *text, size_t *n) {
  size_t room = 1;
  place p = COMPILER;
  for (const char *at = text; (at = strchr(at, '#')); at++) room++;
  directive *all = calloc(room, sizeof *all);
  for (const char *at = text; all && *at;) {
    const size_t len = strcspn(at, "\n");
    take_place(at, len, &p);
    all[*n].in_system = p == SYSTEM_HEADER;
    if (p != COMPILER && take_directive(&all[*n], at, len)) ++*n;
    at += len + (at[len] != 0);
  }
  if (*n) qsort(all, *n, sizeof *all, by_name);
  return all;
}

// Writes the last directive of each name.
static void write_last(FILE *f, const directive *all, size_t n, bool in_system) {
  for (size_t k = 0; k < n; k++) {
    const directive *d = &all[k], *next = d + 1;
    const bool last = k + 1 == n || d->name_len != next->name_len || memcmp(d->name, next->name, d->name_len);
    if (!last || d->in_system != in_system) continue;
    fprintf(f, "#undef %.*s\n", (int)d->name_len, d->name);
    if (d->line[1] == 'd') fprintf(f, "%.*s\n", (int)d->len, d->line);
  }
}

// Writes what leaves the macros behind that the headers do, and has __COUNTER__ asked as often.
static bool write_macros(const char *path, const char *text, int n_counted) {
  size_t n = 0;
  SL_FREED directive *all = sorted(text, &n);
  FILE *f = all ? fopen(path, "w") : NULL;
  if (!f) return false;
  for (int k = 0; k < n_counted; k++) fputs("#if __COUNTER__\n#endif\n", f);
  write_last(f, all, n, false);
  fputs("#pragma GCC system_header\n", f);
  write_last(f, all, n, true);
  return fclose(f) == 0;
}

void sl__prepare_text(const steps *s, unsigned kind, const char *text) {
  SL_FREED char *path = side_file(kind, "macros"), *all = directives(s, kind);
  const int n = all && *all ? counted(all) : -1;
  if (n < 0 || says_once(text) || !write_macros(path, all, n)) unlink(path);
}

// Using -----------------------------------------------------------------------------------------------------

// Writes the headers' text and what stands behind its own in [below] to the file that [command] names.
static bool put_together(const char *command, const char *text, size_t len, const char *below,
                         const char *names) {
  const char *own = sl__end_of_headers(below), *to = strstr(command, " -o \"");
  const size_t first = strcspn(below, "\n");
  if (!own || !to || strncmp(text, below, first + 1) != 0 || sl__has_one_of(own, names)) return false;
  SL_FREED char *name = sl_path("%.*s", (int)strcspn(to + 5, "\""), to + 5);
  FILE *f = fopen(name, "w");
  if (!f) return false;
  const bool ok = fwrite(text, 1, len, f) == len && fputs(own, f) != EOF;
  return fclose(f) == 0 && ok;
}

// The whole source is read then anyway.
#define ANYTHING_ENDS_IT " -E -Werror -Wfatal-errors -imacros \"%s\" "

bool sl__preprocess_below(const steps *s, unsigned kind, ended *e) {
  if (!s->headers || (kind != HOST_TEXT && kind != DEVICE_TEXT)) return false;
  SL_FREED char *macros_file = sl_path("%s/%s.macros", s->headers, sl__side_names[kind]),
                *text_file = sl_path("%s/%s.text", s->headers, sl__side_names[kind]),
                *names_file = sl_path("%s/%s.names", s->headers, sl__side_names[kind]),
                *log = side_file(kind, "said.log"), *out = quoted(kind, "below.ii"),
                *output = side_file(kind, "below.ii"), *words = sl_path(ANYTHING_ENDS_IT, macros_file);
  if (!sl_is_file(macros_file)) return false;
  SL_FREED char *command = with_names(without_includes(s->command[kind], words), NULL, out);
  if (!command) return false;
  *e = sl__run_step(kind, command, log, -1);
  struct stat st;
  size_t len = 0;
  SL_FREED char *below = sl_read_file(output, MAX_TEXT, NULL, NULL),
                *text = sl_read_file(text_file, MAX_TEXT, &len, NULL),
                *names = sl_read_file(names_file, MAX_TEXT, NULL, NULL);
  return e->code == 0 && stat(log, &st) == 0 && !st.st_size && below && text && names &&
         put_together(s->command[kind], text, len, below, names);
}
