// Names as messages spell them: a kernel or variable by its qualified name and template arguments, without
// parameters.
//
// Interface: sl_demangle, sl_param_is_int (findings.h). harness/ptx reads the mangling. This file cuts the
// parameters off and reduces names that are local to a function (mostly shared variables) to their own name.
// A name that cannot be read stays as it is.
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

// The bracket at the end: "(const float*, int)" in "scan<float>(const float*, int)". NULL: there is none.
static char *parameters(char *name) {
  size_t n = strlen(name);
  int depth = 0;
  if (!n || name[n - 1] != ')') return NULL;
  while (n--) {
    depth += name[n] == ')' ? 1 : name[n] == '(' ? -1 : 0;
    if (depth == 0) return name + n;
  }
  return NULL;
}

char *sl_demangle(const char *mangled, char *out, size_t cap) {
  out[0] = 0;
  if (!strncmp(mangled, "_ZZ", 3) && last_name(mangled, out, cap)) return out;
  if (!strncmp(mangled, "_ZL", 3) && isdigit((unsigned char)mangled[3]) && last_name(mangled, out, cap))
    return out;
  char name[1024];
  sl_ptx_demangle(mangled, name, sizeof name);
  char *list = strcmp(name, mangled) != 0 ? parameters(name) : NULL;
  if (list && list > name) *list = 0;
  snprintf(out, cap, "%s", name);
  return out;
}

// The text of parameter [k] in "(const int*, unsigned long)"; NULL: there is none.
static const char *parameter(const char *list, int k) {
  int depth = 0;
  if (!list || k < 0) return NULL;
  for (list++; *list && k > 0; list++) {
    depth += (*list == '(' || *list == '<') - (*list == ')' || *list == '>');
    k -= !depth && *list == ',';
  }
  return k ? NULL : list + strspn(list, " ");
}

bool sl_param_is_int(const char *mangled, int k) {
  char name[1024];
  sl_ptx_demangle(mangled, name, sizeof name);
  const char *p = parameter(strcmp(name, mangled) != 0 ? parameters(name) : NULL, k);
  if (p && !strncmp(p, "const ", 6)) p += 6;
  return p && !strncmp(p, "int*", 4) && p[4] != '*';
}
