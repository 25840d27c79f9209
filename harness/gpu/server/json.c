// A small writer of JSON for the report. Strings are cleaned and escaped. After the first failure nothing
// more is written.
#include "gpu/server/json.h"

#include <stdarg.h>
#include <stdio.h>

void sl__json_put(sl_json *j, const char *fmt, ...) {
  char text[512];
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  if (j->ok) j->ok = sl_write(j->out, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1, j->e);
}

void sl__json_string(sl_json *j, const char *s) {
  static char clean[8192], text[2 * sizeof clean + 2];
  size_t n = 0;
  text[n++] = '"';
  for (const char *p = sl_printable(s, clean, sizeof clean); *p; p++) {
    if (*p == '"' || *p == '\\') text[n++] = '\\';
    text[n++] = *p;
  }
  text[n++] = '"';
  if (j->ok) j->ok = sl_write(j->out, text, n, j->e);
}
