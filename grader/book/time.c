// Times are UTC, and written in one form.
//
// Interface: sl__read_utc takes "2026-11-22T22:20:00Z" and refuses all else. sl__now_utc is the time for a
// new entry. Entries are ordered by their numbers, so a clock that went back changes no order; it is said.
#include "book.h"

bool sl__read_utc(const char *s, time_t *t) {
  struct tm parts = {0};
  const char *end = s ? strptime(s, "%Y-%m-%dT%H:%M:%SZ", &parts) : NULL;
  if (!end || *end || strlen(s) != strlen("2026-11-22T22:20:00Z")) return false;
  int day = parts.tm_mday;
  *t = timegm(&parts);
  return parts.tm_mday == day; // 31 April is another day
}

const char *sl__now_utc(sl_book *b, sl_error *e) {
  static bool said;
  const char *now = sl__utc(b->a, time(NULL));
  sqlite3_stmt *st =
      sl__query(b, e, "SELECT max(at) FROM (SELECT at FROM imports UNION ALL SELECT at FROM overrides)", "");
  const char *last = sl__next(b, st, e) ? sl__text(b, st, 0) : NULL;
  if (!e->code) sqlite3_finalize(st);
  if (last && strcmp(now, last) < 0 && !said) {
    sl__warn(NULL,
             sl__str(b->a, "the clock says %s, and the last entry is of %s: the entries keep their order",
                     now, last));
    said = true;
  }
  return now;
}
