// Names as the student wrote them. The compiler mangles the names of kernels and variables, and forgets
// those of parameters.
#include "findings/findings.h"
#include "picture/events.h"

// Makes "split_kernel" from "(anonymous namespace)::split_kernel<int, 4>".
void sl__short_name(const char *mangled, char *out, size_t cap) {
  char text[512], *p = text, *end;
  sl_demangle(mangled, text, sizeof text);
  end = strchr(p, '<');
  if (end && end != p) *end = 0;
  for (char *colon; (colon = strstr(p, "::"));) p = colon + 2;
  snprintf(out, cap, "%s", p);
}

// Finds the parameters in the kernel's definition or declaration: returns the place behind its "(".
static const char *parameters(const char *source, const char *kernel) {
  size_t len = strlen(kernel);
  for (const char *p = source; len && (p = strstr(p, kernel)); p += len) {
    const char *after = p + len + strspn(p + len, " \n\t");
    bool whole = (p == source || !sl_in_word(p[-1])) && !sl_in_word(p[len]);
    const char *line = p;
    while (line > source && line[-1] != '\n') line--;
    if (whole && *after == '(' && !strstr(line, "//")) return after + 1;
    if (whole && *after == '(' && strstr(line, "//") > p) return after + 1;
  }
  return NULL;
}

bool sl__param_name(const char *source, const char *kernel, int k, char *out, size_t cap) {
  const char *p = parameters(source, kernel), *word = NULL;
  int depth = 0, len = 0;
  if (k < 0) return false;
  for (; p && *p; p++) {
    if (!depth && (*p == ')' || *p == ',')) {
      if (k-- == 0) break;
      if (*p == ')') return false;
    }
    depth += (*p == '(' || *p == '<') - (*p == ')' || *p == '>');
    if (k == 0 && sl_in_word(*p) && !sl_in_word(p[-1]))
      word = p, len = (int)strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  }
  if (!p || !word) return false;
  snprintf(out, cap, "%.*s", len, word);
  return true;
}
