// The sections of a lab (part A, B, .. of its handout): which cases judge one, and what of it is still open.
//
// Interface: student.h, section.c. Sections come from lab.json; a lab without any has its parts alone.
#include "student.h"

#include <fnmatch.h>

enum { MAX_NAMES = 64 };

// Does the section's list of names, with wildcards, hold the case?
static bool section_holds(const json_t *section, const sl_case *c) {
  char name[2 * SL_ID_CHARS], pattern[2 * SL_ID_CHARS];
  snprintf(name, sizeof name, "%s.%s", c->part->id, c->id);
  for (const char *words = sl_json_text(section, "cases"); *words;) {
    const size_t len = strcspn(words, " ");
    snprintf(pattern, sizeof pattern, "%.*s", (int)len, words);
    if (fnmatch(pattern, name, 0) == 0) return true;
    words += len + strspn(words + len, " ");
  }
  return false;
}

static const json_t *section_called(const sl_lab *lab, const char *id) {
  size_t k;
  json_t *section;
  json_array_foreach(lab->sections, k, section)
    if (!strcasecmp(sl_json_text(section, "id"), id)) return section;
  return NULL;
}

bool sl__section_check(const sl_lab *lab, const char *id, sl_error *e) {
  const char *names[MAX_NAMES + 1] = {0};
  size_t n = 0, k;
  json_t *section;
  if (section_called(lab, id)) return true;
  json_array_foreach(lab->sections, k, section)
    if (n < MAX_NAMES) names[n++] = sl_json_text(section, "id");
  for (k = 0; k < lab->n_parts && n < MAX_NAMES; k++) names[n++] = lab->parts[k].id;
  return sl_name_find("part", id, names, SL_EXIT_USAGE, e) >= 0;
}

bool sl__section_chosen(const sl_lab *lab, const char *id, const sl_case *c) {
  const json_t *section = id ? section_called(lab, id) : NULL;
  return !id || (section ? section_holds(section, c) : !strcmp(c->part->id, id));
}

char *sl__section_title(const sl_lab *lab, const char *id, const char *title) {
  const json_t *section = id ? section_called(lab, id) : NULL;
  const char *what = section ? strstr(title, ": ") : NULL;
  return what ? sl_path("%s%s", sl_json_text(section, "id"), what) : sl_path("%s", title);
}

// The first open region of those that [numbers] lists; 0: none.
static unsigned first_open(const sl_skeleton *s, const json_t *numbers) {
  size_t k;
  json_t *number;
  json_array_foreach(numbers, k, number) {
    const json_int_t at = json_integer_value(number);
    if (at >= 1 && (size_t)at <= s->n && s->at[at - 1].open) return (unsigned)at;
  }
  return 0;
}

static bool lists(const json_t *section, unsigned region) {
  size_t k;
  json_t *number;
  json_array_foreach(json_object_get(section, "regions"), k, number)
    if (json_integer_value(number) == (json_int_t)region) return true;
  return false;
}

bool sl__section_has(const sl_lab *lab, const sl_case *c, unsigned region) {
  size_t k;
  json_t *section;
  json_array_foreach(lab->sections, k, section)
    if (section_holds(section, c) && lists(section, region)) return true;
  return false;
}

// How many of the section's cases have ended so.
static size_t count_ended(const sl_ladder *l, const json_t *section, sl_status status) {
  size_t n = 0;
  SL_EACH_TRIAL(l, t) n += t->status == status && section_holds(section, t->c);
  return n;
}

bool sl__section_passes(const sl_ladder *l, unsigned region) {
  size_t k, passed = 0, failed = 0;
  json_t *section;
  json_array_foreach(l->lab->sections, k, section) {
    if (!lists(section, region)) continue;
    passed += count_ended(l, section, SL_PASS), failed += count_ended(l, section, SL_FAIL);
  }
  return passed > 0 && failed == 0;
}

unsigned sl__section_open(const sl_lab *lab, const sl_skeleton *s, const sl_case *c) {
  size_t k;
  unsigned open = 0;
  json_t *section;
  json_array_foreach(lab->sections, k, section)
    if (!open && c && section_holds(section, c)) open = first_open(s, json_object_get(section, "regions"));
  for (k = 0; k < s->n && !open && !(c && lab->sections); k++)
    if (s->at[k].open) open = (unsigned)k + 1;
  return open;
}
