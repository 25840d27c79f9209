// Kinds of findings: the rows of kinds.def.
//
// Interface: sl_finding_kind_find, sl_finding_kind_at, sl_finding_page (findings.h).
#include "findings/findings.h"

#include <string.h>

static const sl_finding_kind KINDS[] = {
#define SL_KIND(id, severity, title, why, advice) {id, severity, title, why, advice},
#include "findings/kinds.def"
#undef SL_KIND
};

const sl_finding_kind *sl_finding_kind_at(size_t k) {
  return k < sizeof KINDS / sizeof *KINDS ? &KINDS[k] : NULL;
}

const sl_finding_kind *sl_finding_kind_find(const char *id) {
  const sl_finding_kind *k;
  for (size_t n = 0; (k = sl_finding_kind_at(n)); n++)
    if (!strcmp(k->id, id)) return k;
  return NULL;
}

void sl_finding_page(const char *id, char *out, size_t cap) {
  snprintf(out, cap, SL_FINDING_PAGES "%s.md", sl_finding_kind_find(id) ? id : "README");
}
