// Times as systems and people write them.
//
// Interface: sl__parse_time reads a time with its zone; one without is refused: nobody could say what it
// means. sl__parse_time_in reads one that a system wrote without a zone, if the zone is known.
#include "intake/intake.h"

#define ZONES "/usr/share/zoneinfo"

// The zone that [s] begins with, in seconds east of Greenwich. False: it is none.
static bool parse_zone(const char *s, int *seconds) {
  int hours, minutes = 0;
  *seconds = 0;
  if (!strcmp(s, "Z") || !strcmp(s, "UTC")) return true;
  if ((*s != '+' && *s != '-') || strspn(s + 1, "0123456789:") != strlen(s + 1)) return false;
  const size_t len = strlen(s + 1), first = strcspn(s + 1, ":");
  if (first == len ? len > 4 || len == 3 : first > 2 || len > first + 3 || strchr(s + first + 2, ':'))
    return false; // sscanf would leave the rest out
  if (sscanf(s + 1, "%2d:%2d", &hours, &minutes) != 2 && sscanf(s + 1, "%2d%2d", &hours, &minutes) < 1)
    return false;
  *seconds = (*s == '-' ? -60 : 60) * (60 * hours + minutes);
  return hours < 24 && minutes < 60;
}

// 31 April is no day, though strptime takes it.
static bool is_day(const struct tm *t) {
  struct tm copy = *t;
  timegm(&copy);
  return copy.tm_mday == t->tm_mday;
}

// Reads the numbers of a time. Returns what follows them, the zone; NULL: it is no time.
static const char *parse_numbers(const char *text, struct tm *t) {
  static const char *const forms[] = {"%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M",
                                      "%Y-%m-%dT%H:%M",    "%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M"};
  const char *rest = NULL;
  for (size_t k = 0; text && !rest && k < sizeof forms / sizeof *forms; k++) {
    *t = (struct tm){0};
    rest = strptime(text, forms[k], t);
  }
  if (!rest || t->tm_year < 0 || !is_day(t)) return NULL; // 26: the year of nobody's work
  if (*rest == '.') rest += 1 + strspn(rest + 1, "0123456789");
  return rest + strspn(rest, " ");
}

const char *sl__parse_time(sl_arena *a, const char *text) {
  struct tm t;
  int zone;
  const char *rest = parse_numbers(text, &t);
  return rest && parse_zone(rest, &zone) ? sl__utc(a, timegm(&t) - zone) : NULL;
}

const char *sl__without_slashes(sl_arena *a, const char *text, bool day_first) {
  static const char *const clocks[] = {"%I:%M:%S %p", "%I:%M %p", "%H:%M:%S", "%H:%M"};
  for (size_t k = 0; k < sizeof clocks / sizeof *clocks; k++) {
    struct tm t = {0};
    char out[32];
    const char *rest =
        strptime(text, sl__str(a, "%s %s", day_first ? "%d/%m/%Y" : "%m/%d/%Y", clocks[k]), &t);
    if (rest && !*rest && t.tm_year > 0 && is_day(&t) && strftime(out, sizeof out, "%F %T", &t))
      return sl__str(a, "%s", out);
  }
  return NULL;
}

// Times without a zone --------------------------------------------------------------------------------------

// Moodle in English: "Tuesday, 3 October 2023, 11:58 PM", or with 24 hours.
static bool parse_words(const char *text, struct tm *t) {
  static const char *const forms[] = {"%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%d %B %Y, %I:%M %p",
                                      "%d %B %Y, %H:%M"};
  for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
    *t = (struct tm){0};
    const char *rest = strptime(text, forms[k], t);
    if (rest && !*rest) return is_day(t);
  }
  const char *rest = parse_numbers(text, t);
  return rest && !*rest;
}

bool sl__is_zone(const char *zone) {
  int seconds;
  SL_FREED char *file = sl_path(ZONES "/%s", zone);
  bool named = *zone && *zone != '/' && !strstr(zone, "..") && sl_is_file(file);
  return named || parse_zone(zone, &seconds);
}

// The moment at which clocks in the process's zone show [t]: the earlier one where they show it twice.
static time_t local_moment(const struct tm *t) {
  time_t best = 0;
  bool found = false;
  for (int summer = 0; summer < 2; summer++) {
    struct tm copy = *t, back;
    copy.tm_isdst = summer;
    time_t at = mktime(&copy);
    localtime_r(&at, &back);
    if (back.tm_hour != t->tm_hour || back.tm_min != t->tm_min || back.tm_mday != t->tm_mday) continue;
    if (!found || at < best) best = at;
    found = true;
  }
  struct tm copy = *t;
  copy.tm_isdst = -1;
  return found ? best : mktime(&copy); // the hour that clocks pass over
}

static time_t moment_in(const struct tm *t, const char *zone) {
  int seconds;
  struct tm copy = *t;
  if (parse_zone(zone, &seconds)) return timegm(&copy) - seconds;
  const char *own = getenv("TZ");
  SL_FREED char *before = own ? sl_path("%s", own) : NULL;
  setenv("TZ", zone, 1);
  tzset();
  time_t at = local_moment(t);
  if (before) setenv("TZ", before, 1);
  else unsetenv("TZ");
  tzset();
  return at;
}

const char *sl__parse_time_in(sl_arena *a, const char *text, const char *zone, bool *lacks_zone) {
  struct tm t;
  const char *known = sl__parse_time(a, text);
  *lacks_zone = !known && parse_words(text, &t);
  return known || !*lacks_zone || !zone ? known : sl__utc(a, moment_in(&t, zone));
}
