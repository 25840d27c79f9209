// Cases that are not public: their ids tell nothing.
//
// Interface: sl__hide_ids (case_fields.h). An id such as "n1024" tells the input of its case. In a lab that
// is read, cases that are not public are called hidden1, hidden2, .. in the order of their part, everywhere;
// the id that the description gives them stays in "given".
#include "judge/case_fields.h"

static bool has_case(const sl_part *part, const char *id) {
  for (size_t k = 0; k < part->n_cases; k++)
    if (!strcmp(part->cases[k].id, id)) return true;
  return false;
}

// Parts that need the case [c] need it under its new name.
static void rename_needed(sl_lab *lab, const sl_part *part, const char *old, const char *id) {
  char was[2 * SL_ID_CHARS];
  snprintf(was, sizeof was, "%s.%s", part->id, old);
  for (size_t k = 0; k < lab->n_parts; k++)
    for (unsigned i = 0; i < lab->parts[k].n_needs; i++)
      if (!strcmp(lab->parts[k].needs[i], was))
        snprintf(lab->parts[k].needs[i], sizeof was, "%s.%s", part->id, id);
}

// An id may tell the input: cases that are not public are called hidden1, hidden2, ..
static void hide_in_part(sl_lab *lab, sl_part *part) {
  unsigned number = 0;
  for (size_t k = 0; k < part->n_cases; k++) {
    sl_case *c = &part->cases[k];
    char id[SL_ID_CHARS];
    memcpy(c->given, c->id, sizeof c->given);
    if (c->visibility == SL_PUBLIC) continue;
    do snprintf(id, sizeof id, "hidden%u", ++number);
    while (has_case(part, id));
    rename_needed(lab, part, c->id, id);
    memcpy(c->id, id, sizeof id);
  }
}

void sl__hide_ids(sl_lab *lab) {
  for (size_t k = 0; k < lab->n_parts; k++) hide_in_part(lab, &lab->parts[k]);
}
