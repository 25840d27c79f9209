// Text: appends to it; finds lines, words, comments and quotes of source text in C.
//
// Interface: base.h, text.c. Nothing is allocated, and nothing fails: what has no end ends with the text.
#include "base/base.h"

#include <ctype.h>

void sl_append(char *out, size_t cap, const char *between, const char *fmt, ...) {
  size_t used = strlen(out);
  va_list ap;
  if (used) used += (size_t)snprintf(out + used, cap - used, "%s", between);
  if (used >= cap) return;
  va_start(ap, fmt);
  vsnprintf(out + used, cap - used, fmt, ap);
  va_end(ap);
}

bool sl_in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

bool sl_is_utf16(const char *text, size_t len) {
  return len >= 2 && (!memcmp(text, "\xff\xfe", 2) || !memcmp(text, "\xfe\xff", 2));
}

const char *sl_line_at(const char *text, uint32_t number) {
  for (; number > 1 && *text; number--) text = sl_next_line(text);
  return text;
}

size_t sl_comment_length(const char *s) {
  if (s[0] != '/') return 0;
  if (s[1] == '/') return strcspn(s, "\n");
  if (s[1] != '*') return 0;
  const char *end = strstr(s + 2, "*/");
  return end ? (size_t)(end + 2 - s) : strlen(s);
}

size_t sl_quoted_length(const char *s) {
  const char *p = s + 1;
  if (*s != '"' && *s != '\'') return 0;
  for (; *p && *p != *s && *p != '\n'; p++) p += *p == '\\' && p[1];
  return (size_t)(p - s) + (*p == *s);
}

char *sl_blank_comments(char *text) {
  for (char *at = text; (at = strchr(at, '/'));) {
    const size_t n = sl_comment_length(at);
    for (size_t k = 0; k < n; k++)
      if (at[k] != '\n') at[k] = ' ';
    at += n ? n : 1;
  }
  return text;
}
