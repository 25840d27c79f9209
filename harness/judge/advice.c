// Reads what lab.json says to students beside its cases: hints, sections, clues, the regions
// that launch or hold a barrier.
// And what both readers of lab.json need: the error that names the place, names, known keys.
//
// Interface: lab_reader.h.
#include "judge/lab_reader.h"
#include "findings/findings.h"
#include "judge/case_fields.h"

bool sl__bad(const sl_lab_reader *r, const char *where, const char *what) {
  return sl_fail(r->e, SL_EXIT_INPUT, NULL, "%s: %s: %s", r->path, where, what);
}

bool sl__is_id(const char *s) {
  return s && s[0] && strlen(s) < SL_ID_CHARS &&
         strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == strlen(s);
}

bool sl__only_keys(const sl_lab_reader *r, json_t *object, const char *where, const char *const *keys) {
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) {
    sl_error why = {0};
    if (sl_name_find("key", key, keys, SL_EXIT_INPUT, &why) < 0)
      return sl_fail(r->e, SL_EXIT_INPUT, why.hint, "%s: %s: %s", r->path, where, why.text);
  }
  return true;
}

// "hints": {"1": "...", "2": "..."}, one for each TODO region of the skeleton.
static bool read_hints(sl_lab_reader *r, json_t *hints) {
  if (hints && !json_is_object(hints)) return sl__bad(r, "\"hints\"", "expected an object");
  size_t n = json_object_size(hints);
  r->lab->hints = calloc(n + 1, sizeof *r->lab->hints);
  if (!r->lab->hints) return sl_fail(r->e, SL_EXIT_INFRA, NULL, "out of memory");
  for (size_t k = 0; k < n; k++) {
    char key[24];
    snprintf(key, sizeof key, "%zu", k + 1);
    const char *text = json_string_value(json_object_get(hints, key));
    if (!text || !text[0]) return sl__bad(r, "\"hints\"", "expected texts named \"1\", \"2\", ..");
    r->lab->hints[r->lab->n_hints++] = sl_path("%s", text);
  }
  return true;
}

// "launch": 6, the TODO region that launches the kernel, if the skeleton leaves that open.
static bool read_launch(sl_lab_reader *r, json_t *region) {
  sl_error why = {0};
  return !region || sl__json_int(region, "launch", 1, r->lab->n_hints, &r->lab->launch, &why) ||
         sl__bad(r, "the lab", why.text);
}

// "barriers": [1, 2], the TODO regions that ought to hold a barrier.
static bool read_barriers(sl_lab_reader *r, json_t *list) {
  const uint64_t most = r->lab->n_hints < 63 ? r->lab->n_hints : 63;
  sl_error why = {0};
  uint64_t region;
  size_t k;
  json_t *one;
  if (list && !json_is_array(list)) return sl__bad(r, "\"barriers\"", "expected a list");
  json_array_foreach(list, k, one) {
    if (!sl__json_int(one, "barriers", 1, most, &region, &why)) return sl__bad(r, "the lab", why.text);
    r->lab->barriers |= UINT64_C(1) << region;
  }
  return true;
}

// Facts of a finding are one of a few words each.
static bool check_traits(const sl_lab_reader *r, json_t *clue) {
  for (sl_trait k = 0; k < SL_TRAITS; k++) {
    const char *word = json_string_value(json_object_get(clue, sl_trait_keys[k]));
    if (word && !sl_trait_exists(k, word))
      return sl_fail(r->e, SL_EXIT_INPUT, NULL, "%s: a clue: no \"%s\" of a finding is '%s'", r->path,
                     sl_trait_keys[k], word);
  }
  return true;
}

// "also": what one of the findings is, whichever is told first.
static bool check_also(const sl_lab_reader *r, json_t *also) {
  static const char *const keys[] = {"finding", "object", "access", "cause", "mend", NULL};
  if (also && !json_is_object(also)) return sl__bad(r, "\"also\"", "expected an object");
  return !also || (sl__only_keys(r, also, "\"also\"", keys) && check_traits(r, also));
}

// "clues": which region is at fault, by what failed (docs/internals/interfaces.md).
static bool read_clues(sl_lab_reader *r, json_t *clues) {
  static const char *const keys[] = {
      "region", "finding", "object", "kernel", "launch", "per_thread", "reason",  "pattern", "counter",
      "above",  "call",    "fails",  "passes", "shows",  "fewer",      "array",   "smaller", "unused",
      "in",     "threads", "lacks",  "has",    "first",  "second",     "alone",   "often",   "blocks",
      "also",   "omits",   "begins", "access", "cause",  "mend",       "busiest", NULL};
  size_t k;
  json_t *clue;
  sl_error why = {0};
  uint64_t region;
  if (clues && !json_is_array(clues)) return sl__bad(r, "\"clues\"", "expected a list");
  json_array_foreach(clues, k, clue) {
    if (!sl__only_keys(r, clue, "a clue", keys) || !check_traits(r, clue) ||
        !check_also(r, json_object_get(clue, "also")))
      return false;
    if (!sl__json_int(json_object_get(clue, "region"), "region", 0, r->lab->n_hints, &region, &why))
      return sl__bad(r, "a clue", why.text);
  }
  r->lab->clues = json_incref(clues);
  return true;
}

// "sections": groups of regions, each with the cases that judge it (docs/internals/interfaces.md).
static bool read_sections(sl_lab_reader *r, json_t *sections) {
  static const char *const keys[] = {"id", "title", "regions", "cases", NULL};
  size_t k, i;
  json_t *section, *region;
  sl_error why = {0};
  uint64_t number;
  if (sections && !json_is_array(sections)) return sl__bad(r, "\"sections\"", "expected a list");
  json_array_foreach(sections, k, section) {
    if (!sl__only_keys(r, section, "a section", keys)) return false;
    if (!sl__is_id(json_string_value(json_object_get(section, "id"))) ||
        !json_string_value(json_object_get(section, "title")) ||
        !json_string_value(json_object_get(section, "cases")))
      return sl__bad(r, "a section", "expected texts \"id\", \"title\" and \"cases\"");
    json_array_foreach(json_object_get(section, "regions"), i, region)
      if (!sl__json_int(region, "regions", 1, r->lab->n_hints, &number, &why))
        return sl__bad(r, "a section", why.text);
  }
  r->lab->sections = json_incref(sections);
  return true;
}

bool sl__read_advice(sl_lab_reader *r, json_t *root) {
  return read_hints(r, json_object_get(root, "hints")) && read_launch(r, json_object_get(root, "launch")) &&
         read_barriers(r, json_object_get(root, "barriers")) &&
         read_clues(r, json_object_get(root, "clues")) && read_sections(r, json_object_get(root, "sections"));
}
