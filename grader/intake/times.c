// Times as systems and people write them.
//
// Interface: sl__parse_time. A time without a zone is refused: nobody could say what it means.
#include "intake/intake.h"

#include <string.h>

// The zone that [s] begins with, in seconds east of Greenwich. False: it is none.
static bool parse_zone(const char *s, int *seconds) {
  int hours, minutes = 0;
  *seconds = 0;
  if (!strcmp(s, "Z") || !strcmp(s, "UTC")) return true;
  if ((*s != '+' && *s != '-') || strspn(s + 1, "0123456789:") != strlen(s + 1)) return false;
  if (sscanf(s + 1, "%2d:%2d", &hours, &minutes) != 2 && sscanf(s + 1, "%2d%2d", &hours, &minutes) < 1)
    return false;
  *seconds = (*s == '-' ? -60 : 60) * (60 * hours + minutes);
  return hours < 24 && minutes < 60;
}

const char *sl__parse_time(sl_arena *a, const char *text) {
  static const char *const forms[] = {"%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M",
                                      "%Y-%m-%dT%H:%M"};
  struct tm t = {0};
  const char *rest = NULL;
  int zone;
  for (size_t k = 0; text && !rest && k < sizeof forms / sizeof *forms; k++) {
    t = (struct tm){0};
    rest = strptime(text, forms[k], &t);
  }
  if (!rest) return NULL;
  if (*rest == '.') rest += 1 + strspn(rest + 1, "0123456789");
  rest += strspn(rest, " ");
  return parse_zone(rest, &zone) ? sl__utc(a, timegm(&t) - zone) : NULL;
}
