// Lines of a text, for said.c, which shows errors, and advise.c, which says what to do about them.
#pragma once

#include <ctype.h>
#include "student.h"

typedef struct sl_text {
  const char *at;
  int len;
} sl_text;

static inline sl_text sl__line_of(const char *from) { return (sl_text){from, (int)strcspn(from, "\n")}; }
static inline const char *sl__behind(sl_text t) { return t.at + t.len + (t.at[t.len] == '\n'); }

static inline sl_text sl__source_line(const char *source, unsigned number) {
  return sl__line_of(sl_line_at(source, number));
}

static inline int sl__indent_of(sl_text t) {
  int n = 0;
  while (n < t.len && isspace((unsigned char)t.at[n])) n++;
  return n;
}

// advise.c
// The line without its comment, with blanks for what stands in quotes; malloc'ed.
char *sl__code_of(sl_text t);
// What to do about the compiler's error [words] at that place; malloc'ed, or NULL.
char *sl__advise(const char *source, const char *words, unsigned line, unsigned column);
