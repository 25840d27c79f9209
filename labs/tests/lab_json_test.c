// Every labs/NN_name/lab.json against the schema of docs/internals/interfaces.md, read with jansson and
// checked here by tables of known keys and values: points add up to 100, ids are unique, cases are complete.
// And the rest of the folder against it: the handout's table of points, and no file but the three that belong
// there.
//
// The judge has a loader of its own; this test shares no code with it, so that each finds the other's
// mistakes. The checker itself is tested with descriptions that have one fault each.
#include <dirent.h>
#include <fnmatch.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include "base/unit.h"

enum { MAX_TESTS = 512, FAULT_CHARS = 400 };

typedef struct checker {
  char fault[FAULT_CHARS];   // the first fault; "" if there is none
  char tests[MAX_TESTS][96]; // PART.CASE of every case
  size_t n_tests;
} checker;

static bool fault(checker *c, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!c->fault[0]) vsnprintf(c->fault, sizeof c->fault, format, args);
  va_end(args);
  return false;
}

// ---- Tables -----------------------------------------------------------------------------------------------

static const char *const part_kinds[] = {"correct", "counters", "clean", "speed", NULL};
static const char *const types[] = {"f32", "i32", "u32", "affine", NULL};
static const char *const ops[] = {"add", "max", "compose", NULL};
static const char *const scans[] = {"inclusive", "exclusive", NULL};
static const char *const tiles[] = {"efficient", "naive", NULL};
static const char *const checks[] = {"exact", "rounding", NULL};
static const char *const entries[] = {"scan", "sort", NULL};
static const char *const dists[] = {"zeros",
                                    "ones",
                                    "ramp",
                                    "uniform_int",
                                    "pm1",
                                    "uniform",
                                    "signed_uniform",
                                    "normalish",
                                    "spike",
                                    "alternating",
                                    "constant_tenth",
                                    "sorted",
                                    "reversed",
                                    "nearly_sorted",
                                    "few_distinct",
                                    "constant",
                                    "bits",
                                    "specials",
                                    "one_hot_digit",
                                    "affine_random",
                                    "affine_special",
                                    "runs",
                                    "minus_one",
                                    "one_bit",
                                    "odd",
                                    "close",
                                    "peak",
                                    "tiny",
                                    NULL};
static const char *const counters[] = {"warp_instructions",
                                       "thread_instructions",
                                       "adds",
                                       "adds_float",
                                       "adds_int",
                                       "barriers",
                                       "shared_ld_requests",
                                       "shared_st_requests",
                                       "shared_ld_replays",
                                       "shared_st_replays",
                                       "global_ld_sectors",
                                       "global_st_sectors",
                                       "global_ld_bytes",
                                       "shared_bytes",
                                       "global_st_bytes",
                                       "atomics",
                                       "fmas",
                                       "longest_warp",
                                       "launches",
                                       "lone_warp",
                                       NULL};

static const char *const bound_keys[] = {"min", "max", "none", "equal", NULL};

// A field of a case: a name out of a list, or a whole number within bounds.
static const struct field {
  const char *name;
  const char *const *names;
  json_int_t min, max;
} fields[] = {
    {"type", types, 0, 0},      {"op", ops, 0, 0},
    {"scan", scans, 0, 0},      {"tile", tiles, 0, 0},
    {"check", checks, 0, 0},    {"entry", entries, 0, 0},
    {"dist", dists, 0, 0},      {"seed", NULL, 0, 1LL << 53},
    {"calls", NULL, 1, 64},     {"bits", NULL, 1, 8},
    {"timeout", NULL, 1, 3600}, {"host_bytes", NULL, 0, 1 << 20},
};

static bool known(const char *name, const char *const *names) {
  for (; *names; names++) {
    if (!strcmp(name, *names)) return true;
  }
  return false;
}

// ---- Checks -----------------------------------------------------------------------------------------------

static bool check_field(checker *c, const char *key, const json_t *value) {
  double full = json_number_value(value);
  if (!strcmp(key, "full")) return (full > 0 && full <= 1) || fault(c, "full: out of range");
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    const struct field *f = &fields[i];
    if (strcmp(f->name, key)) continue;
    if (f->names) {
      return (json_is_string(value) && known(json_string_value(value), f->names)) ||
             fault(c, "%s: bad value", key);
    }
    json_int_t v = json_integer_value(value);
    return (json_is_integer(value) && v >= f->min && v <= f->max) || fault(c, "%s: out of range", key);
  }
  return fault(c, "unknown key %s", key);
}

static bool check_expect(checker *c, json_t *expect) {
  const char *name, *bound;
  json_t *bounds, *value;
  if (!json_is_object(expect) || !json_object_size(expect)) return fault(c, "expect: not an object");
  json_object_foreach(expect, name, bounds) {
    if (!strcmp(name, "either") && json_object_size(bounds) > 1) {
      if (!check_expect(c, bounds)) return false;
      continue;
    }
    if (!known(name, counters)) return fault(c, "expect: unknown counter %s", name);
    if (!json_is_object(bounds) || !json_object_size(bounds))
      return fault(c, "expect: %s has no bound", name);
    json_object_foreach(bounds, bound, value) {
      if (!known(bound, bound_keys)) return fault(c, "bound %s", bound);
      const char *formula = json_string_value(value);
      const bool letters =
          formula && formula[0] && strspn(formula, "0123456789. +-*/()nmLax,") == strlen(formula);
      if (!letters && (!json_is_integer(value) || json_integer_value(value) < 0))
        return fault(c, "%s.%s: bad value", name, bound);
    }
    json_t *min = json_object_get(bounds, "min"), *max = json_object_get(bounds, "max");
    if (min && max && json_integer_value(min) > json_integer_value(max))
      return fault(c, "%s: min > max", name);
  }
  return true;
}

static bool check_size(checker *c, const json_t *n) {
  json_int_t v = json_integer_value(n);
  return (json_is_integer(n) && v >= 0 && v <= 1LL << 32) || fault(c, "a size is not a number in 0..2^32");
}

static bool check_sizes(checker *c, json_t *list) {
  size_t i;
  json_t *n;
  if (!json_is_array(list) || !json_array_size(list)) return fault(c, "a list of sizes is expected");
  json_array_foreach(list, i, n) {
    if (!check_size(c, n)) return false;
  }
  return true;
}

// The sizes of more calls, and [size, times in a row].
static bool check_also(checker *c, json_t *list) {
  size_t i;
  json_t *one;
  if (!json_is_array(list) || !json_array_size(list)) return fault(c, "also: a list is expected");
  json_array_foreach(list, i, one) {
    const json_int_t times = json_integer_value(json_array_get(one, 1));
    if (json_is_array(one) && (json_array_size(one) != 2 || times < 2 || times > 4096))
      return fault(c, "also: a row is not [size, 2..4096]");
    if (!check_size(c, json_is_array(one) ? json_array_get(one, 0) : one)) return false;
  }
  return true;
}

static bool add_test(checker *c, const char *part, const char *id) {
  if (!*id || strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(id))
    return fault(c, "bad id %s", id);
  if (c->n_tests == MAX_TESTS) return fault(c, "too many cases");
  char *name = c->tests[c->n_tests];
  snprintf(name, sizeof c->tests[0], "%s.%s", part, id);
  for (size_t i = 0; i < c->n_tests; i++) {
    if (!strcmp(c->tests[i], name)) return fault(c, "two tests %s", name);
  }
  c->n_tests++;
  return true;
}

// Adds the tests of one case: one, or one for each size where "n" is a list and "{n}" stands in the id.
static bool add_tests(checker *c, const char *part, const char *id, json_t *n) {
  const char *hole = strstr(id, "{n}");
  if (!json_is_array(n)) return check_size(c, n) && add_test(c, part, id);
  if (!hole) return fault(c, "%s: no {n} in the id", id);
  if (!check_sizes(c, n)) return false;
  size_t i;
  json_t *size;
  json_array_foreach(n, i, size) {
    char filled[96];
    int head = (int)(hole - id);
    snprintf(filled, sizeof filled, "%.*s%lld%s", head, id, (long long)json_integer_value(size), hole + 3);
    if (!add_test(c, part, filled)) return false;
  }
  return true;
}

// The words themselves are the judge's to check (its own tests).
static bool check_schedules(checker *c, json_t *list) {
  size_t i;
  json_t *words;
  if (!list) return true;
  if (!json_array_size(list)) return fault(c, "schedules: a list of schedules is expected");
  json_array_foreach(list, i, words) {
    if (!json_is_string(words) || !strchr(json_string_value(words), '='))
      return fault(c, "schedules: bad value");
  }
  return true;
}

static bool is_own_key(const char *key) {
  static const char *const own[] = {"id",      "n",         "also",      "expect",    "values", "points",
                                    "dataset", "schedules", "reference", "unaligned", "draw",   "scalars",
                                    "then",    "named",     "kinds",     NULL};
  return known(key, own);
}

// n = 0 alone proves nothing (a kernel that does nothing is right), so such a case names other sizes in
// "also".
static bool check_empty(checker *c, const json_t *one) {
  const json_t *n = json_object_get(one, "n");
  bool empty = json_is_integer(n) && !json_integer_value(n);
  return !empty || json_object_get(one, "also") || fault(c, "n = 0 without also");
}

static bool check_reference(checker *c, const char *id, const char *kind, json_t *reference) {
  if (!strcmp(kind, "speed") != !!reference) return fault(c, "%s: reference belongs to speed", id);
  bool whole = !reference || (json_integer_value(json_object_get(reference, "launches")) > 0 &&
                              json_integer_value(json_object_get(reference, "sectors")) > 0);
  return whole || fault(c, "%s: reference without launches or sectors", id);
}

static bool check_draw(checker *c, json_t *draw) {
  size_t i;
  json_t *range;
  json_array_foreach(draw, i, range) {
    const size_t numbers = json_array_size(range);
    const json_int_t parts = numbers == 3 ? json_integer_value(json_array_get(range, 2)) : 1;
    bool whole = (numbers == 2 || numbers == 3) && check_size(c, json_array_get(range, 0)) &&
                 check_size(c, json_array_get(range, 1)) && parts > 0 && parts <= 64 &&
                 !(parts & (parts - 1));
    if (!whole || json_integer_value(json_array_get(range, 0)) > json_integer_value(json_array_get(range, 1)))
      return fault(c, "draw: a list of ranges is expected");
  }
  return !draw || json_array_size(draw) || fault(c, "draw: a list of ranges is expected");
}

// "named": [from, to] or [from, to, elements of a tile]
static bool check_named(checker *c, json_t *named) {
  const size_t numbers = json_array_size(named);
  size_t i;
  json_t *number;
  json_array_foreach(named, i, number)
    if (!check_size(c, number)) return false;
  const json_int_t from = json_integer_value(json_array_get(named, 0));
  return !named || ((numbers == 2 || numbers == 3) && from < json_integer_value(json_array_get(named, 1))) ||
         fault(c, "named: a range is expected");
}

// Names of cases, of "needs" or of "then": the judge's loader looks them up.
static bool check_names(checker *c, const char *key, json_t *names) {
  size_t i;
  json_t *name;
  json_array_foreach(names, i, name) {
    if (!json_is_string(name) || !strchr(json_string_value(name), '.')) return fault(c, "%s: bad value", key);
  }
  return !names || json_array_size(names) || fault(c, "%s: a list of names is expected", key);
}

static bool check_case(checker *c, const char *part, const char *kind, json_t *one) {
  const char *key, *id = json_string_value(json_object_get(one, "id"));
  json_t *value, *also = json_object_get(one, "also"), *expect = json_object_get(one, "expect");
  if (!id) return fault(c, "%s: a case has no id", part);
  if ((also && !check_also(c, also)) || !check_draw(c, json_object_get(one, "draw"))) return false;
  if (!check_named(c, json_object_get(one, "named"))) return false;
  const json_t *kinds = json_object_get(one, "kinds");
  if (kinds && !(json_is_true(kinds) && json_object_get(one, "draw")))
    return fault(c, "%s: kinds without a drawn size", id);
  if (!check_names(c, "then", json_object_get(one, "then"))) return false;
  if (!check_empty(c, one) || !check_schedules(c, json_object_get(one, "schedules"))) return false;
  if (!strcmp(kind, "counters") ? !expect : expect && strcmp(kind, "correct") != 0)
    return fault(c, "%s.%s: expect belongs to counters, and to a few results", part, id);
  if (!check_reference(c, id, kind, json_object_get(one, "reference"))) return false;
  if (expect && !check_expect(c, expect)) return false;
  json_object_foreach(one, key, value) {
    if (!is_own_key(key) && !check_field(c, key, value)) return false;
  }
  return add_tests(c, part, id, json_object_get(one, "n"));
}

static bool check_defaults(checker *c, json_t *defaults) {
  const char *key;
  json_t *value;
  json_object_foreach(defaults, key, value) {
    if (!check_field(c, key, value)) return false;
  }
  return true;
}

// A result that is wrong under another schedule is taken for one that depends on the order: no points at all.
static bool begins_in_order(json_t *one) {
  const char *first = json_string_value(json_array_get(json_object_get(one, "schedules"), 0));
  return !first || !strcmp(first, "order=in");
}

static bool check_part(checker *c, json_t *part) {
  const char *id = json_string_value(json_object_get(part, "id"));
  const char *kind = json_string_value(json_object_get(part, "kind"));
  json_t *cases = json_object_get(part, "cases"), *one;
  size_t i;
  if (!id || !json_string_value(json_object_get(part, "title"))) return fault(c, "a part lacks id or title");
  if (!kind || !known(kind, part_kinds)) return fault(c, "%s: bad kind", id);
  if (!(json_number_value(json_object_get(part, "points")) > 0)) return fault(c, "%s: no points", id);
  if (!json_array_size(cases)) return fault(c, "%s: no cases", id);
  if (!check_defaults(c, json_object_get(part, "defaults"))) return false;
  if (!check_names(c, "needs", json_object_get(part, "needs"))) return false;
  const bool in_order = !strcmp(kind, "clean") && !json_is_true(json_object_get(part, "whole"));
  json_array_foreach(cases, i, one) {
    if (!check_case(c, id, kind, one)) return false;
    if (in_order && !begins_in_order(one)) return fault(c, "%s: a case does not begin with order=in", id);
  }
  return true;
}

static bool check_lab(checker *c, json_t *lab, const char *folder) {
  json_t *parts = json_object_get(lab, "parts"), *part;
  const char *name = json_string_value(json_object_get(lab, "lab"));
  const char *file = json_string_value(json_object_get(lab, "file"));
  double points = 0;
  size_t i;
  memset(c, 0, sizeof *c);
  if (!name || strcmp(name, folder)) return fault(c, "lab is not the folder's name %s", folder);
  if (!file || strcmp(file, "kernel.cu")) return fault(c, "file is not kernel.cu");
  if (!json_string_value(json_object_get(lab, "title"))) return fault(c, "no title");
  json_array_foreach(parts, i, part) {
    if (!check_part(c, part)) return false;
    points += json_number_value(json_object_get(part, "points"));
  }
  bool whole = fabs(points - 100) < 1e-9 && json_number_value(json_object_get(lab, "points")) == 100;
  return whole || fault(c, "the points of the parts make %g, not 100", points);
}

// ---- Tests ------------------------------------------------------------------------------------------------

// Is the number in the text, with no other digit beside it?
static bool has_number(const char *text, json_int_t number) {
  char word[32];
  size_t len = (size_t)snprintf(word, sizeof word, "%lld", (long long)number);
  for (const char *at = text; (at = strstr(at, word)); at += len) {
    bool before = at > text && strchr("0123456789", at[-1]), after = at[len] && strchr("0123456789", at[len]);
    if (!before && !after) return true;
  }
  return false;
}

static void expect_number(const char *path, const char *text, const char *what, json_int_t number) {
  if (!has_number(text, number)) fail_msg("%s: no %lld, a bound of %s", path, (long long)number, what);
}

static void expect_formula(const char *path, const char *text, const char *what, const char *formula) {
  char words[128];
  snprintf(words, sizeof words, "`%s`", formula);
  if (!strstr(text, words)) fail_msg("%s: no %s, a bound of %s", path, words, what);
}

// The handout has each number and formula that can cost points: where a bound ends, and where the points end.
static void check_bounds(const char *path, const char *text, json_t *expect) {
  const char *counter, *key;
  json_t *bounds, *value;
  json_object_foreach(expect, counter, bounds) {
    if (!strcmp(counter, "either")) {
      check_bounds(path, text, bounds);
      continue;
    }
    json_object_foreach(bounds, key, value) {
      if (json_is_string(value)) expect_formula(path, text, counter, json_string_value(value));
      else expect_number(path, text, counter, json_integer_value(value));
    }
    json_int_t max = json_integer_value(json_object_get(bounds, "max"));
    bool usual = max && !json_object_get(bounds, "none");
    if (usual) expect_number(path, text, counter, max + (max > 4 ? max / 4 : 1));
  }
}

// The handout has the line "| PART | POINTS | .." for each part.
static void check_handout(const char *folder, json_t *lab) {
  char path[1024], row[128];
  static char text[1 << 16];
  json_t *part, *one;
  size_t i, k;
  snprintf(path, sizeof path, "%s/%s/README.md", SL_LABS_DIR, folder);
  FILE *f = fopen(path, "r");
  if (!f) fail_msg("%s: missing", path);
  text[fread(text, 1, sizeof text - 1, f)] = 0;
  fclose(f);
  json_array_foreach(json_object_get(lab, "libraries"), i, part) {
    snprintf(row, sizeof row, "`%s`", json_string_value(part));
    if (!strstr(text, row)) fail_msg("%s: no library %s", path, row);
  }
  json_array_foreach(json_object_get(lab, "parts"), i, part) {
    snprintf(row, sizeof row, "\n| %s | %g |", json_string_value(json_object_get(part, "id")),
             json_number_value(json_object_get(part, "points")));
    if (!strstr(text, row)) fail_msg("%s: no line%s", path, row);
    json_array_foreach(json_object_get(part, "cases"), k, one)
      check_bounds(path, text, json_object_get(one, "expect"));
  }
}

// The lab says which libraries a kernel may use, and the handout has the same ones in its line: what a lab
// does not name does not compile.
static void check_libraries(const char *folder, json_t *lab) {
  static const char *const words[] = {"cooperative_groups", "libcu++", "cub", "thrust", NULL};
  json_t *list = json_object_get(lab, "libraries"), *word;
  char path[1024], line[1024] = "", named[64];
  size_t i;
  if (!json_is_array(list)) fail_msg("%s: lab.json names no libraries", folder);
  snprintf(path, sizeof path, "%s/%s/README.md", SL_LABS_DIR, folder);
  FILE *f = fopen(path, "r");
  if (!f) fail_msg("%s: missing", path);
  while (strncmp(line, "Allowed libraries: ", 19))
    if (!fgets(line, sizeof line, f)) fail_msg("%s: no line of the allowed libraries", path);
  fclose(f);
  for (const char *const *w = words; *w; w++) {
    bool allowed = false;
    json_array_foreach(list, i, word) allowed |= !strcmp(json_string_value(word), *w);
    snprintf(named, sizeof named, "`%s`", *w);
    if (allowed != (strstr(line, named) != NULL))
      fail_msg("%s: lab.json and the handout differ on %s", folder, *w);
  }
}

// Every case of a lab in sections belongs to one: else `check` of no section runs it.
static void check_sections(const char *folder, json_t *lab) {
  json_t *sections = json_object_get(lab, "sections"), *section, *part, *one;
  size_t i, k, j;
  json_array_foreach(json_object_get(lab, "parts"), i, part) {
    json_array_foreach(json_object_get(part, "cases"), k, one) {
      bool belongs = !sections;
      char name[128];
      snprintf(name, sizeof name, "%s.%s", json_string_value(json_object_get(part, "id")),
               json_string_value(json_object_get(one, "id")));
      json_array_foreach(sections, j, section) {
        char patterns[256];
        snprintf(patterns, sizeof patterns, "%s", json_string_value(json_object_get(section, "cases")));
        for (char *rest = patterns, *word; (word = strtok_r(rest, " ", &rest));)
          belongs |= fnmatch(word, name, 0) == 0;
      }
      if (!belongs) fail_msg("%s: %s belongs to no section", folder, name);
    }
  }
}

// Every TODO region of the skeleton has a hint, and there is no other hint.
static void check_hints(const char *folder, json_t *lab) {
  char path[1024], line[512], key[16];
  size_t regions = 0;
  json_t *hints = json_object_get(lab, "hints");
  snprintf(path, sizeof path, "%s/%s/kernel.cu", SL_LABS_DIR, folder);
  FILE *f = fopen(path, "r");
  if (!f) fail_msg("%s: missing", path);
  while (fgets(line, sizeof line, f)) {
    if (strncmp(line + strspn(line, " "), "// TODO(", 8)) continue;
    snprintf(key, sizeof key, "%zu", ++regions);
    const char *hint = json_string_value(json_object_get(hints, key));
    if (!hint || strlen(hint) < 40) fail_msg("%s: region %s has no hint", folder, key);
  }
  fclose(f);
  assert_int_equal(json_object_size(hints), regions);
}

static void check_folder(const char *folder) {
  static const char *const own[] = {"README.md", "lab.json", "kernel.cu", ".", "..", NULL};
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", SL_LABS_DIR, folder);
  DIR *d = opendir(path);
  assert_non_null(d);
  for (struct dirent *entry; (entry = readdir(d));) {
    bool backup = !strncmp(entry->d_name, "kernel.cu.bak.", 14); // made by ./scanlab reset
    if (!backup && !known(entry->d_name, own)) fail_msg("%s/%s does not belong there", path, entry->d_name);
  }
  closedir(d);
}

TEST(test_every_lab) {
  static checker c;
  size_t found = 0;
  DIR *labs = opendir(SL_LABS_DIR);
  assert_non_null(labs);
  for (struct dirent *entry; (entry = readdir(labs));) {
    char path[1024];
    json_error_t error;
    if (entry->d_name[0] != '0') continue;
    snprintf(path, sizeof path, "%s/%s/lab.json", SL_LABS_DIR, entry->d_name);
    json_t *lab = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!lab) fail_msg("%s:%d: %s", path, error.line, error.text);
    if (!check_lab(&c, lab, entry->d_name)) fail_msg("%s: %s", path, c.fault);
    assert_in_range(c.n_tests, 20, 90);
    check_handout(entry->d_name, lab);
    check_sections(entry->d_name, lab);
    check_hints(entry->d_name, lab);
    check_folder(entry->d_name);
    json_decref(lab);
    found++;
  }
  closedir(labs);
  assert_int_equal(found, SL_LAB_COUNT);
}

TEST(test_libraries) {
  size_t found = 0;
  DIR *labs = opendir(SL_LABS_DIR);
  assert_non_null(labs);
  for (struct dirent *entry; (entry = readdir(labs));) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s/lab.json", SL_LABS_DIR, entry->d_name);
    json_t *lab = entry->d_name[0] >= '0' && entry->d_name[0] <= '9' ? json_load_file(path, 0, NULL) : NULL;
    if (!lab) continue;
    check_libraries(entry->d_name, lab);
    json_decref(lab);
    found++;
  }
  closedir(labs);
  assert_true(found >= SL_LAB_COUNT);
}

// A right description, and for each row a piece of it with the fault that replaces the piece.
static const char *const right =
    "{'lab':'01_x','title':'t','file':'kernel.cu','points':100,'parts':[{'id':'a','title':'t','points':60,'"
    "kind':'correct','defaults':{'type':'f32'},'cases':[{'id':'n{n}','n':[1,2]},{'id':'n0','n':0,'also':[5]}]"
    "},{'id':'b','title':'t','points':40,'kind':'counters','cases':[{'id':'n4','n':4,'expect':{'adds':{'min':"
    "1,'max':3}}}]}]}";
static const struct {
  const char *piece, *instead, *report;
} faults[] = {
    {"'01_x'", "'02_x'", "folder"},
    {"'points':60", "'points':50", "make 90"},
    {"'n4','n':4", "'n4','n':-4", "size"},
    {"'n4','n':4", "'n4'", "size"},
    {"'n{n}','n':[1,2]", "'n{n}','n':[1,1]", "two tests a.n1"},
    {"'n{n}','n':[1,2]", "'n','n':[1,2]", "no {n}"},
    {"'n{n}','n':[1,2]", "'n{n}','n':[]", "list of sizes"},
    {"'n{n}','n':[1,2]", "'N 1','n':1", "bad id"},
    {",'also':[5]", "", "without also"},
    {",'also':[5]", ",'also':[5],'bist':1", "unknown key bist"},
    {",'also':[5]", ",'also':[5],'then':['b']", "then: bad value"},
    {",'also':[5]", ",'also':[5],'then':[]", "then: a list of names"},
    {"'type':'f32'", "'type':'f64'", "type: bad value"},
    {"'type':'f32'", "'bits':9", "bits: out of range"},
    {"'kind':'correct'", "'kind':'corect'", "bad kind"},
    {"'kind':'counters'", "'kind':'clean'", "belongs to counters"},
    {"'kind':'correct','defaults':{'type':'f32'},'cases':[{",
     "'kind':'clean','cases':[{'schedules':['order=reverse'],", "does not begin with order=in"},
    {"'kind':'correct'", "'kind':'speed'", "belongs to speed"},
    {",'also':[5]", ",'also':[5],'reference':{'launches':1,'sectors':8}", "belongs to speed"},
    {"'type':'f32'", "'type':'f32','full':0", "full: out of range"},
    {"'adds'", "'add'", "unknown counter"},
    {"'min':1,'max':3", "'min':4,'max':3", "min > max"},
    {"'min':1,'max':3", "'least':4", "bound least"},
    {"'min':1,'max':3", "'max':'2 * k'", "adds.max: bad value"},
};

static json_t *changed(const char *piece, const char *instead) {
  char text[1024];
  const char *at = piece ? strstr(right, piece) : right;
  assert_non_null(at);
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - right), right, instead,
           at + (piece ? strlen(piece) : 0));
  for (char *p = text; *p; p++) {
    if (*p == '\'') *p = '"';
  }
  json_t *lab = json_loads(text, 0, NULL);
  assert_non_null(lab);
  return lab;
}

TEST(test_finds_faults) {
  static checker c;
  json_t *lab = changed(NULL, "");
  if (!check_lab(&c, lab, "01_x")) fail_msg("the right description: %s", c.fault);
  json_decref(lab);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    lab = changed(faults[i].piece, faults[i].instead);
    assert_false(check_lab(&c, lab, "01_x"));
    if (!strstr(c.fault, faults[i].report))
      fail_msg("row %zu: %s, expected %s", i, c.fault, faults[i].report);
    json_decref(lab);
  }
}
