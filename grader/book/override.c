// Scores that a person sets, with the reason and the person's name.
//
// Interface: sl__override adds one. It replaces the final score of a student's lab until a later one replaces
// it or is withdrawn; raw score and penalty stay as they are.
#include "book.h"

#include <pwd.h>

enum { MAX_TEXT = 1000 }; // it stands in tables and in messages

static bool is_blank(const char *s) { return !s || !s[strspn(s, " \t\r\n")]; }

static bool check_text(const char *what, const char *s, sl_error *e) {
  json_t *text = s ? json_string(s) : NULL; // NULL if it is no UTF-8
  json_decref(text);
  if (is_blank(s))
    return sl_fail(e, SL_EXIT_USAGE, "say it with --reason TEXT and --who NAME", "an override needs its %s",
                   what);
  if (strlen(s) > MAX_TEXT)
    return sl_fail(e, SL_EXIT_USAGE, NULL, "the %s has more than %d bytes", what, MAX_TEXT);
  return text || sl_fail(e, SL_EXIT_USAGE, NULL, "the %s is no valid UTF-8", what);
}

static const char *user_name(void) {
  const struct passwd *user = getpwuid(geteuid());
  return user ? user->pw_name : NULL;
}

bool sl__read_points(const char *text, double max, double *points, sl_error *e) {
  if (!sl_parse_decimal(text, points) || *points < 0)
    return sl_fail(e, SL_EXIT_USAGE, "a number such as 87.5", "'%s' are no points", text);
  return *points <= max ||
         sl_fail(e, SL_EXIT_USAGE, NULL, "'%s' is more than the lab has: %g points", text, max);
}

bool sl__override(sl_book *b, const sl_override *o, sl_error *e) {
  const char *who = o->who ? o->who : user_name();
  if (!check_text("reason", o->reason, e) || !check_text("author", who, e) || !sl__begin(b, e)) return false;
  const char *now = sl__now_utc(b, e);
  bool ok = !e->code && (o->points ? sl__do(b, e, "INSERT INTO overrides VALUES (NULL, ?, ?, ?, ?, ?, ?)",
                                            "tttftt", now, o->student, o->lab, *o->points, o->reason, who)
                                   : sl__do(b, e, "INSERT INTO overrides VALUES (NULL, ?, ?, ?, NULL, ?, ?)",
                                            "ttttt", now, o->student, o->lab, o->reason, who));
  return sl__end(b, ok, e) && ok;
}
