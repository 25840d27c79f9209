// Names as the student wrote them. The compiler mangles kernels and variables, and forgets parameters.
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
