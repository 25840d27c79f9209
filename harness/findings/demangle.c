// Names as messages spell them: a kernel or variable by its qualified name and template arguments, without
// parameters.
//
// Interface: sl_demangle (findings.h). harness/ptx reads the mangling. This file cuts the parameters off and
// reduces names that are local to a function (mostly shared variables) to their own name. A name that cannot
// be read stays as it is.
#include "findings/findings.h"
#include "ptx/ir.h"

#include <ctype.h>

// The last name in it: "_ZZ4scanPKfPfiE6s_data" is s_data.
static bool last_name(const char *mangled, char *out, size_t cap) {
  for (const char *p = mangled; *p;) {
    size_t n = 0;
    const char *from = p;
    for (; isdigit((unsigned char)*p) && n < cap; p++) n = 10 * n + (size_t)(*p - '0');
    if (from == p) p++;
    else if (n && n < cap && strnlen(p, n) == n) snprintf(out, cap, "%.*s", (int)n, p), p += n;
  }
  return out[0];
}

// Cuts the last bracket at the end off: "scan<float>(const float*, int)" becomes "scan<float>".
static void cut_parameters(char *name) {
  size_t n = strlen(name);
  int depth = 0;
  if (!n || name[n - 1] != ')') return;
  while (n--) {
    depth += name[n] == ')' ? 1 : name[n] == '(' ? -1 : 0;
    if (depth == 0) break;
  }
  if (n > 0 && n < strlen(name)) name[n] = 0;
}

char *sl_demangle(const char *mangled, char *out, size_t cap) {
  out[0] = 0;
  if (!strncmp(mangled, "_ZZ", 3) && last_name(mangled, out, cap)) return out;
  if (!strncmp(mangled, "_ZL", 3) && isdigit((unsigned char)mangled[3]) && last_name(mangled, out, cap))
    return out;
  char name[1024];
  sl_ptx_demangle(mangled, name, sizeof name);
  if (strcmp(name, mangled) != 0) cut_parameters(name);
  snprintf(out, cap, "%s", name);
  return out;
}
