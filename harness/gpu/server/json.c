// The one writer of JSON beside jansson: the report may have hundreds of MiB of events and is written as it
// comes, where jansson would hold all of it. Strings are cleaned and escaped. A failure ends all writing.
#include "gpu/server/json.h"

void sl__json_put(sl_json *j, const char *fmt, ...) {
  char room[512], *text = room; // enough for almost all
  va_list ap, again;
  va_start(ap, fmt);
  va_copy(again, ap);
  int n = vsnprintf(room, sizeof room, fmt, ap);
  if (n >= (int)sizeof room && vasprintf(&text, fmt, again) < 0)
    text = room, j->ok = sl_fail(j->e, SL_EXIT_INFRA, NULL, "out of memory");
  if (j->ok) j->ok = sl_write(j->out, text, (size_t)n, j->e);
  if (text != room) free(text);
  va_end(again);
  va_end(ap);
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
