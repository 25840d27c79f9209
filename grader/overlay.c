// The instructor's overlay: cases, points, seeds and visibility unknown to students, merged over lab.json.
//
// Interface: sl__overlay_load reads the file; sl__overlay_lab merges what it says of one lab and gives the
// merged description's path, for planner and judge. sl__is_concealed says whether a case's results may be
// told. The merged files lie in BUILD/overlay, for the grader's user alone.
//
//   {"due": "2026-12-01T22:59:59Z",
//    "labs": {"03": {"points": 100,
//                    "parts": {"scan": {"points": 30, "defaults": {"seed": 9}, "cases": [CASE..]}, "tail":
//                    PART}, "cases": {"scan.n1024": {"visibility": "after_due", "seed": 5}}}}}
//
// A part that lab.json has keeps what the overlay does not name, and gets the cases; another one is added. A
// case that an overlay adds is hidden unless it says otherwise. "cases" changes fields of single cases.
#include "grade.h"

enum { MAX_OVERLAY = 1 << 20 };

typedef struct merge {
  const char *path; // the overlay
  const char *lab;  // "03_blelloch"
  json_t *parts;    // those of the description that is changed
  sl_error *e;
} merge;

static bool bad_overlay(const merge *m, const char *where, const char *what) {
  return sl_fail(m->e, SL_EXIT_INPUT, "docs/instructor/handing-out.md shows an overlay", "%s: %s%s%s: %s",
                 m->path, m->lab, *where ? ", " : "", where, what);
}

static bool has_only(const merge *m, const char *where, json_t *object, const char *const *keys) {
  const char *key;
  json_t *value;
  if (!json_is_object(object)) return bad_overlay(m, where, "expected an object");
  json_object_foreach(object, key, value) {
    sl_error why = {0};
    if (sl_name_find("key", key, keys, SL_EXIT_INPUT, &why) < 0) return bad_overlay(m, where, why.text);
  }
  return true;
}

// The object [key] of [object]; NULL with *[ok] true: it is not there. A list in its place, as lab.json has
// one, is a fault: its cases would be left out in silence.
static json_t *object_at(const merge *m, const char *where, const json_t *object, const char *key, bool *ok) {
  json_t *value = json_object_get(object, key);
  SL_FREED char *what = sl_path("\"%s\": expected an object", key);
  *ok = (!value || json_is_object(value)) || bad_overlay(m, where, what);
  return *ok ? value : NULL;
}

// Parts -----------------------------------------------------------------------------------------------------

static json_t *part_named(const merge *m, const char *id) {
  size_t k;
  json_t *part;
  json_array_foreach(m->parts, k, part) {
    const char *own = json_string_value(json_object_get(part, "id"));
    if (own && !strcmp(own, id)) return part;
  }
  return NULL;
}

// The cases of [change], hidden unless they say otherwise, behind those of [part].
static bool add_cases(const merge *m, const char *id, json_t *part, json_t *change) {
  json_t *added = json_object_get(change, "cases"), *cases = json_object_get(part, "cases"), *one;
  bool said = json_object_get(json_object_get(change, "defaults"), "visibility") != NULL;
  size_t k;
  if (added && !json_is_array(added)) return bad_overlay(m, id, "\"cases\": expected a list");
  json_array_foreach(added, k, one) {
    if (!json_is_object(one)) return bad_overlay(m, id, "a case: expected an object");
    if (!said && !json_object_get(one, "visibility"))
      json_object_set_new(one, "visibility", json_string("hidden"));
    json_array_append(cases, one);
  }
  return true;
}

static bool merge_part(const merge *m, const char *id, json_t *change) {
  static const char *const keys[] = {"title", "points", "kind",  "defaults", "cases",
                                     "needs", "whole",  "about", NULL};
  bool ok;
  json_t *part = part_named(m, id), *defaults;
  if (!has_only(m, id, change, keys)) return false;
  defaults = object_at(m, id, change, "defaults", &ok);
  if (!ok) return false;
  if (!part) {
    part = json_pack("{s:s, s:[]}", "id", id, "cases");
    json_array_append_new(m->parts, part);
  } else if (json_object_get(change, "kind"))
    return bad_overlay(m, id, "\"kind\" of a part of lab.json is fixed");
  static const char *const replaced[] = {"title", "points", "kind", "needs", "whole", NULL};
  for (int k = 0; replaced[k]; k++)
    if (json_object_get(change, replaced[k]))
      json_object_set(part, replaced[k], json_object_get(change, replaced[k]));
  if (defaults && !json_object_get(part, "defaults")) json_object_set_new(part, "defaults", json_object());
  if (defaults) json_object_update(json_object_get(part, "defaults"), defaults);
  return add_cases(m, id, part, change);
}

// Single cases ----------------------------------------------------------------------------------------------

// Does [entry], of which each size of "n" is a case, hold the case [id]? [size]: one of its sizes, or -1.
static bool holds_case(json_t *entry, const char *id, int *size) {
  const char *pattern = json_string_value(json_object_get(entry, "id"));
  json_t *n = json_object_get(entry, "n"), *one;
  const char *at = pattern ? strstr(pattern, "{n}") : NULL;
  size_t k;
  *size = -1;
  if (pattern && !strcmp(pattern, id)) return true;
  if (!at) return false;
  for (k = 0; k < (json_is_array(n) ? json_array_size(n) : 1); k++) {
    one = json_is_array(n) ? json_array_get(n, k) : n;
    char *name =
        sl_path("%.*s%lld%s", (int)(at - pattern), pattern, (long long)json_integer_value(one), at + 3);
    bool same = !strcmp(name, id);
    free(name);
    if (same && json_is_array(n)) *size = (int)k;
    if (same) return true;
  }
  return false;
}

// Takes size [size] out of [entry] into an entry of its own behind it, named [id]. Returns that.
static json_t *split_case(json_t *cases, size_t at, json_t *entry, int size, const char *id) {
  json_t *own = json_copy(entry), *n = json_deep_copy(json_object_get(entry, "n"));
  json_object_set(own, "n", json_array_get(n, (size_t)size));
  json_object_set_new(own, "id", json_string(id));
  json_array_remove(n, (size_t)size);
  json_object_set_new(entry, "n", n);
  json_array_insert_new(cases, at + (json_array_size(n) > 0), own);
  if (json_array_size(n) == 0) json_array_remove(cases, at + 1);
  return own;
}

static bool change_case(const merge *m, const char *name, json_t *fields) {
  const char *dot = strchr(name, '.');
  SL_FREED char *id = sl_path("%.*s", dot ? (int)(dot - name) : 0, name);
  json_t *part = part_named(m, id), *cases = json_object_get(part, "cases"), *entry;
  size_t k;
  int size;
  if (!json_is_object(fields)) return bad_overlay(m, name, "expected an object");
  json_array_foreach(cases, k, entry) {
    if (!holds_case(entry, dot + 1, &size)) continue;
    json_object_update(size < 0 ? entry : split_case(cases, k, entry, size, dot + 1), fields);
    return true;
  }
  return bad_overlay(m, name, "lab.json has no such case (PART.CASE)");
}

static bool merge_lab(const merge *m, json_t *lab, json_t *change) {
  static const char *const keys[] = {"points", "parts", "cases", "about", NULL};
  const char *name;
  json_t *value, *parts, *cases;
  bool has_parts, has_cases;
  if (!has_only(m, "", change, keys)) return false;
  parts = object_at(m, "", change, "parts", &has_parts),
  cases = object_at(m, "", change, "cases", &has_cases);
  if (!has_parts || !has_cases) return false;
  if (json_object_get(change, "points")) json_object_set(lab, "points", json_object_get(change, "points"));
  json_object_foreach(parts, name, value) {
    if (!merge_part(m, name, value)) return false;
  }
  json_object_foreach(cases, name, value) {
    if (!change_case(m, name, value)) return false;
  }
  return true;
}

// Files -----------------------------------------------------------------------------------------------------

// "2026-12-01T22:59:59Z"; 0: not of that form, or no day of the calendar.
static time_t utc_of(const char *text) {
  struct tm parts = {0};
  const char *end = text ? strptime(text, "%Y-%m-%dT%H:%M:%SZ", &parts) : NULL;
  const int day = parts.tm_mday;
  const time_t at = end && !*end ? timegm(&parts) : 0;
  return parts.tm_mday == day ? at : 0; // 30 February is another day
}

// "01" and "01_naive_scan" are one lab: the second would be left out in silence.
static bool is_named_once(const merge *m, json_t *labs, const char *name, const sl_lab_info *info) {
  const char *other;
  json_t *lab;
  sl_error why = {0};
  json_object_foreach(labs, other, lab) {
    if (!strcmp(other, name)) break;
    if (sl_lab_find(other, &why) == info) return bad_overlay(m, name, "this lab is there twice");
  }
  return true;
}

static bool check_overlay(const merge *m, json_t *root, time_t *due) {
  static const char *const keys[] = {"due", "labs", "about", NULL};
  json_t *text = json_object_get(root, "due"), *labs = json_object_get(root, "labs"), *lab;
  const char *name;
  if (!has_only(m, "", root, keys)) return false;
  *due = utc_of(json_string_value(text));
  if (text && !*due) return bad_overlay(m, "\"due\"", "expected a time like 2026-12-01T22:59:59Z");
  if (!json_is_object(labs)) return bad_overlay(m, "\"labs\"", "expected an object");
  json_object_foreach(labs, name, lab) {
    sl_error why = {0};
    const sl_lab_info *info = sl_lab_find(name, &why);
    if (!info) return bad_overlay(m, "\"labs\"", why.text);
    if (!is_named_once(m, labs, name, info)) return false;
  }
  return true;
}

bool sl__overlay_load(sl_course *c, const char *path, sl_error *e) {
  merge m = {.path = path, .lab = "the overlay", .e = e};
  c->overlay = sl_json_read(path, MAX_OVERLAY, e);
  c->overlay_path = path;
  return c->overlay && check_overlay(&m, c->overlay, &c->due);
}

// What the overlay says of the lab; NULL: nothing.
static json_t *said_of(const sl_course *c, const sl_lab_info *info) {
  const char *name;
  json_t *change;
  json_object_foreach(json_object_get(c->overlay, "labs"), name, change) {
    sl_error e = {0};
    if (sl_lab_find(name, &e) == info) return change;
  }
  return NULL;
}

// Writes [lab] where the judge can read it, and checks that it is a description. Returns the path.
static const char *write_merged(sl_grading *g, const sl_lab_info *info, json_t *lab, sl_error *e) {
  SL_FREED char *text = json_dumps(lab, JSON_INDENT(1));
  char hash[SL_HEX256];
  const char *folder = sl__str(g->arena, "%s/overlay", g->course.build);
  if (!text) return sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory"), NULL;
  sl__hash(text, strlen(text), hash);
  const char *path = sl__str(g->arena, "%s/%s-%.16s.json", folder, info->name, hash);
  bool ok = sl_mkdirs(folder, e) &&
            (chmod(folder, 0700) == 0 || sl_fail(e, SL_EXIT_INFRA, NULL, "%s: %s", folder, strerror(errno)));
  ok = ok && sl_write_file(path, text, strlen(text), e);
  SL_LAB_FREED sl_lab *read = ok ? sl_lab_load(path, e) : NULL;
  if (ok && !read)
    sl_append(e->hint, sizeof e->hint, "; ", "this is lab %s with what %s says of it", info->number,
              g->course.overlay_path);
  return read ? path : NULL;
}

const char *sl__overlay_lab(sl_grading *g, const sl_lab_info *info, const char *json, sl_error *e) {
  json_t *change = said_of(&g->course, info);
  if (!change) return json;
  json_auto_t *lab = sl_json_read(json, MAX_OVERLAY, e);
  merge m = {g->course.overlay_path, info->name, json_object_get(lab, "parts"), e};
  const char *path = NULL;
  if (lab && merge_lab(&m, lab, change)) path = write_merged(g, info, lab, e);
  return path;
}

bool sl__is_concealed(const sl_course *c, const sl_case *k) {
  if (k->visibility == SL_PUBLIC || c->reveal) return false;
  return k->visibility == SL_HIDDEN || !(c->withheld || (c->due && c->started >= c->due));
}
