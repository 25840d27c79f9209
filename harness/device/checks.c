// The names of the checks that can be switched: for --checks of sl-sim and sl-gpu.
//
// Interface: sl_checks_read (settings.h).
#include "device/settings.h"

#include <string.h>

static const struct {
  const char *name;
  uint32_t bits;
} CHECKS[] = {{"race.shared", SL_CHECK_RACE_SHARED},
              {"race.global", SL_CHECK_RACE_GLOBAL},
              {"order.fence", SL_CHECK_ORDER},
              {"memory.uninit", SL_CHECK_UNINIT},
              {"race.async", SL_CHECK_ASYNC},
              {"barrier.mask", SL_CHECK_MASK},
              {"memory.readonly", SL_CHECK_READONLY},
              {"repeat.state", SL_CHECK_STATE},
              {"host.error", SL_CHECK_HOST},
              {"memory.leak", SL_CHECK_LEAK},
              {"race.host", SL_CHECK_RACE_HOST},
              {"kernel", SL_CHECK_ALL},
              {"all", SL_CHECK_EVERY},
              {"none", 0}};
enum { COUNT = sizeof CHECKS / sizeof *CHECKS };

static bool unknown(const char *name, sl_error *e) {
  const char *names[COUNT + 1] = {0};
  for (int k = 0; k < COUNT; k++) names[k] = CHECKS[k].name;
  const char *near = sl_nearest(name, names);
  return sl_fail(e, SL_EXIT_USAGE, near ? near : "use " SL_CHECKS_HELP, "there is no check '%s'%s", name,
                 near ? "; did you mean the one in the hint?" : "");
}

// "NAME" adds to what is on, "-NAME" takes away.
static bool apply(const char *name, uint32_t *out, sl_error *e) {
  bool off = name[0] == '-';
  for (int k = 0; k < COUNT; k++) {
    if (strcmp(CHECKS[k].name, name + off) != 0) continue;
    *out = off ? *out & ~CHECKS[k].bits : *out | CHECKS[k].bits;
    return true;
  }
  return unknown(name + off, e);
}

bool sl_checks_read(const char *text, uint32_t *out, sl_error *e) {
  char name[64];
  *out = text[0] == '-' ? SL_CHECK_EVERY : 0;
  for (const char *p = text;; p++) {
    size_t n = strcspn(p, ",");
    if (n >= sizeof name) return sl_fail(e, SL_EXIT_USAGE, NULL, "the name of a check is too long");
    memcpy(name, p, n), name[n] = 0;
    if (!apply(name, out, e)) return false;
    p += n;
    if (!*p) return true;
  }
}
