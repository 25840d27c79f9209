// Names as messages spell them: kernels and variables by qualified name and template arguments.
//
// Interface: sl_demangle, sl_param_is_int (findings.h). harness/ptx reads the mangling. This file cuts the
// parameters off and reduces names that are local to a function (mostly shared variables) to their own name.
// A name that cannot be read stays as it is.
#include "findings/findings.h"
#include "ptx/ir.h"

#include <ctype.h>

// The name at the end: "_ZZ4scanILi16EEvPKfPfiE6s_data" is s_data. The second of its name in a function ends
// with "_0", and "_$_1" is member or element 1 of a variable that the compiler has taken apart. A template
// argument is a number, too, but no name of that length ends here.
static bool last_name(const char *mangled, char *out, size_t cap) {
  for (const char *p = mangled; *p; p++) {
    char *from;
    if ((*p != 'E' && *p != 'L') || !isdigit((unsigned char)p[1])) continue;
    const size_t n = strtoul(p + 1, &from, 10);
    if (!n || n >= cap || strnlen(from, n) < n) continue;
    if (from[n] && (from[n] != '_' || from[n + strspn(from + n, "_$0123456789")])) continue;
    snprintf(out, cap, "%.*s", (int)n, from);
    return true;
  }
  return false;
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
