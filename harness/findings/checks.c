// The checks that can be switched, as --checks of sl-sim and sl-gpu names them: by the ids of their findings.
//
// Interface: sl_checks_read, sl_checks_help (findings.h).
#include "findings/findings.h"

#define SL_KIND(name, group, id, severity, title, why, advice) {id, SL_CHECK_##name},
static const struct {
  const char *name;
  uint32_t bits; // none: always on
} CHECKS[] = {
#include "findings/kinds.def"
    {"kernel", SL_CHECK_ALL}, {"all", SL_CHECK_EVERY}};
#undef SL_KIND
enum { N_CHECKS = sizeof CHECKS / sizeof *CHECKS };

#define NAME_NONE(id)
#define NAME_KERNEL(id) " " id
#define NAME_HOST(id) " " id
#define SL_KIND(name, group, id, severity, title, why, advice) NAME_##group(id)
const char sl_checks_help[] = "all, none, kernel (what kernels do), or names with commas:"
#include "findings/kinds.def"
                              "; -NAME: all but that";
#undef SL_KIND

static bool unknown_check(const char *name, sl_error *e) {
  const char *names[N_CHECKS + 2] = {"none"};
  size_t n = 1;
  for (int k = 0; k < N_CHECKS; k++)
    if (CHECKS[k].bits) names[n++] = CHECKS[k].name;
  const char *near = sl_nearest(name, names);
  return sl_fail(e, SL_EXIT_USAGE, near ? near : sl_checks_help, "there is no check '%s'%s", name,
                 near ? "; did you mean the one in the hint?" : "");
}

// "NAME" adds to what is on, "-NAME" takes away.
static bool apply_check(const char *name, uint32_t *out, sl_error *e) {
  bool off = name[0] == '-';
  if (!strcmp(name + off, "none")) return true;
  for (int k = 0; k < N_CHECKS; k++) {
    if (!CHECKS[k].bits || strcmp(CHECKS[k].name, name + off) != 0) continue;
    *out = off ? *out & ~CHECKS[k].bits : *out | CHECKS[k].bits;
    return true;
  }
  return unknown_check(name + off, e);
}

bool sl_checks_read(const char *text, uint32_t *out, sl_error *e) {
  char name[64];
  *out = text[0] == '-' ? SL_CHECK_EVERY : 0;
  for (const char *p = text;; p++) {
    size_t n = strcspn(p, ",");
    if (n >= sizeof name) return sl_fail(e, SL_EXIT_USAGE, NULL, "the name of a check is too long");
    memcpy(name, p, n), name[n] = 0;
    if (!apply_check(name, out, e)) return false;
    p += n;
    if (!*p) return true;
  }
}
