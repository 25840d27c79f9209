// Kinds of findings: the rows of kinds.def.
//
// Interface: sl_finding_kind_of, sl_found_name, sl_finding_page, sl_finding_same_place, sl_finding_accept.
#include "findings/findings.h"

static const sl_finding_kind KINDS[SL_FOUND_COUNT] = {
    [SL_FOUND_NOTHING] = {"unknown", "error", "", "", ""},
#define SL_KIND(name, group, id, severity, title, why, advice)                                               \
  [SL_FOUND_##name] = {id, severity, title, why, advice},
#include "findings/kinds.def"
#undef SL_KIND
};

const sl_finding_kind *sl_finding_kind_of(sl_found id) {
  return &KINDS[(unsigned)id < SL_FOUND_COUNT ? id : SL_FOUND_NOTHING];
}

bool sl_found_is_note(sl_found id) { return strcmp(sl_finding_kind_of(id)->severity, "note") == 0; }

const char *sl_found_name(sl_found id) { return sl_finding_kind_of(id)->id; }

void sl_finding_page(sl_found id, char *out, size_t cap) {
  const sl_finding_kind *k = sl_finding_kind_of(id);
  snprintf(out, cap, SL_FINDING_PAGES "%s.md", k == KINDS ? "README" : k->id);
}

bool sl_finding_same_place(const sl_finding *a, const sl_finding *b) {
  return a->id == b->id && strcmp(a->kernel, b->kernel) == 0 && a->line == b->line &&
         a->other_line == b->other_line && strcmp(a->file, b->file) == 0;
}

bool sl_finding_accept(sl_finding *f) {
#define SL_TEXT(member) (offsetof(sl_finding, member) + sizeof f->member - 1)
  static const size_t LAST_BYTES[] = {SL_TEXT(account),     SL_TEXT(kernel),     SL_TEXT(file),
                                      SL_TEXT(other_file),  SL_TEXT(what),       SL_TEXT(why),
                                      SL_TEXT(advice),      SL_TEXT(details),    SL_TEXT(me.role),
                                      SL_TEXT(me.insn),     SL_TEXT(me.host),    SL_TEXT(other.role),
                                      SL_TEXT(other.insn),  SL_TEXT(other.host), SL_TEXT(object.space),
                                      SL_TEXT(object.name), SL_TEXT(replay)};
#undef SL_TEXT
  for (size_t k = 0; k < sizeof LAST_BYTES / sizeof *LAST_BYTES; k++) ((char *)f)[LAST_BYTES[k]] = 0;
  return f->id > SL_FOUND_NOTHING && f->id < SL_FOUND_COUNT;
}
