// The names of the checks that can be switched: for --checks of sl-sim and sl-gpu.
#include "observers/observers.h"

static const char *const NAMES[] = {"race.shared",  "race.global", "order.fence", "memory.uninit",
                                    "barrier.mask", "all",         "none",        NULL};
static const uint32_t BITS[] = {SL_CHECK_RACE_SHARED,
                                SL_CHECK_RACE_GLOBAL,
                                SL_CHECK_ORDER,
                                SL_CHECK_UNINIT,
                                SL_CHECK_MASK,
                                SL_CHECK_ALL,
                                0};

static bool add(const char *name, uint32_t *out, sl_error *e) {
  for (int k = 0; NAMES[k]; k++)
    if (!strcmp(NAMES[k], name)) {
      *out |= BITS[k];
      return true;
    }
  const char *near = sl_nearest(name, NAMES);
  return sl_fail(e, SL_EXIT_USAGE,
                 near ? near
                      : "use all, none, or race.shared,race.global,order.fence,memory.uninit,barrier.mask",
                 "there is no check '%s'%s", name, near ? "; did you mean the one in the hint?" : "");
}

bool sl_checks_read(const char *text, uint32_t *out, sl_error *e) {
  char name[64];
  *out = 0;
  for (const char *p = text;; p++) {
    size_t n = strcspn(p, ",");
    if (n >= sizeof name) return sl_fail(e, SL_EXIT_USAGE, NULL, "the name of a check is too long");
    memcpy(name, p, n), name[n] = 0;
    if (!add(name, out, e)) return false;
    p += n;
    if (!*p) return true;
  }
}
