// Texts in an arena, and texts that are safe to print.
//
// Interface: sl__arena_new, sl__alloc, which end the program without memory; sl__str and others. Names,
// messages and compiler logs are the student's. sl__safe and sl__safe_lines remove control characters and
// invalid UTF-8 before a text is stored; sl__html escapes it for the page, sl__cmake_arg for a list file.
#include "grade.h"

#include <ctype.h>
#include <locale.h>
#include <wchar.h>

sl_arena *sl__arena_new(void) { return sl_must(sl_arena_new()); }

void *sl__alloc(sl_arena *a, size_t bytes) {
  void *at = sl_arena_get(a, bytes);
  if (!at) {
    fputs("scanlab: error: out of memory\n", stderr);
    exit(SL_EXIT_INFRA);
  }
  return at;
}

void *sl__more(sl_arena *a, void *at, size_t n, size_t size) {
  if (n & (n - 1)) return at; // room is made at powers of two
  void *bigger = sl__alloc(a, (n ? 2 * n : 1) * size);
  if (n) memcpy(bigger, at, n * size);
  return bigger;
}

char *sl__str(sl_arena *a, const char *fmt, ...) {
  SL_FREED char *text = NULL;
  va_list ap;
  va_start(ap, fmt);
  int len = vasprintf(&text, fmt, ap);
  va_end(ap);
  char *s = sl__alloc(a, len < 0 ? 1 : (size_t)len + 1);
  if (len > 0) memcpy(s, text, (size_t)len);
  return s;
}

char *sl__safe(sl_arena *a, const char *s) {
  const size_t cap = 4 * strlen(s) + 5;
  sl_arena *spare =
      sl__arena_new(); // a class has a message for each test: none keeps the room that it might need
  char *safe = sl__str(a, "%s", sl_printable(s, sl__alloc(spare, cap), cap));
  sl_arena_free(spare);
  return safe;
}

char *sl__safe_lines(sl_arena *a, const char *s) {
  size_t used = 0, len = strlen(s);
  char *copy = sl__alloc(a, len + 1), *out = sl__alloc(a, 4 * len + 5);
  memcpy(copy, s, len);
  for (char *line = copy, *next; line; line = next) {
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    const char *safe = sl__safe(a, line);
    memcpy(out + used, safe, strlen(safe));
    used += strlen(safe);
    if (next) out[used++] = '\n';
  }
  return out;
}

size_t sl__columns(const char *s, size_t most, size_t *bytes) {
  static locale_t utf8;
  if (!utf8) utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
  locale_t before = utf8 ? uselocale(utf8) : NULL;
  size_t columns = 0, at = 0;
  mbstate_t state = {0};
  for (wchar_t c; s[at];) {
    size_t len = mbrtowc(&c, s + at, strlen(s + at), &state);
    int width = len <= strlen(s + at) ? wcwidth(c) : -1;
    if (width < 0) width = 1, len = 1, state = (mbstate_t){0};
    if (columns + (size_t)width > most) break;
    columns += (size_t)width, at += len;
  }
  if (before) uselocale(before);
  if (bytes) *bytes = at;
  return columns;
}

const char *sl__cut(sl_arena *a, const char *s, size_t columns) {
  size_t bytes;
  sl__columns(s, columns, &bytes);
  if (!s[bytes]) return s;
  sl__columns(s, columns - 2, &bytes);
  return sl__str(a, "%.*s..", (int)bytes, s);
}

void sl__print_text(FILE *f, const char *text, int column, int indent) {
  const bool fits =
      (size_t)column + sl__columns(text, SIZE_MAX, NULL) <= (size_t)sl_columns(STDOUT_FILENO, SL_COLUMNS);
  if (!fits && sl_is_terminal(f)) sl_print_words(f, text, column, indent, SL_COLUMNS);
  else fprintf(f, "%s\n", text);
}

char *sl__safe_name(sl_arena *a, const char *s) {
  char *out = sl__alloc(a, 3 * strlen(s) + 4), *p = out;
  if (!*s) return strcpy(out, "%");
  for (const char *c = s; *c; c++) {
    bool plain = isalnum((unsigned char)*c) || *c == '_' || *c == '-' || (*c == '.' && c != s);
    p += sprintf(p, plain ? "%c" : "%%%02X", (unsigned char)*c);
  }
  if (strlen(out) > 100) { // file systems allow 255; the hash keeps the name unique
    char hash[SL_HEX256];
    sl__hash(s, strlen(s), hash);
    sprintf(out + 80, "-%.16s", hash);
  }
  return out;
}

void sl__html(FILE *f, const char *s) {
  static const char *const named[256] = {
      ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};
  for (; *s; s++) {
    if (named[(unsigned char)*s]) fputs(named[(unsigned char)*s], f);
    else fputc(*s, f);
  }
}

char *sl__points(sl_arena *a, double v) {
  char *s = sl__str(a, "%.2f", v), *end = s + strlen(s);
  while (end[-1] == '0') *--end = 0;
  if (end[-1] == '.') end[-1] = 0;
  return s;
}

// [s] as a quoted argument of CMake, with the characters escaped that are special in it.
char *sl__cmake_arg(sl_arena *a, const char *s) {
  static const char *const escaped[256] = {
      ['\\'] = "\\\\", ['"'] = "\\\"", ['$'] = "\\$", ['@'] = "\\@", ['\n'] = "\\n", ['\r'] = "\\r"};
  char *out = sl__alloc(a, 2 * strlen(s) + 3), *p = out;
  *p++ = '"';
  for (; *s; s++) {
    const char *e = escaped[(unsigned char)*s];
    if (e) p = stpcpy(p, e);
    else *p++ = *s;
  }
  *p = '"';
  return out;
}

const char *sl__full_name(sl_arena *a, const sl_submission *s) {
  const char *full = s->in.full && *s->in.full ? sl__safe(a, s->in.full) : NULL;
  return full && !strstr(s->name, full) ? full : NULL;
}
