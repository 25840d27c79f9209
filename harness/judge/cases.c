// Reads lab.json: parts, cases, points.
//
// Interface: sl_lab_load, sl_lab_free, sl_case_init .. sl_case_check (cases.h). A case whose "n" is a list
// becomes one case for each entry. Cases without points of their own share the rest of the part's points
// equally. case_fields.c reads the fields of one case, advice.c what the lab says to students.
#include "judge/cases.h"

#include "base/json.h"
#include "judge/buffer.h"
#include "judge/case_fields.h"
#include "judge/lab_reader.h"
#include "reference/reference.h"
#include "scanlab/generate.h"

enum { MAX_FILE = 1 << 20, MAX_CASES = 4096 };

const char *const sl_part_kind_names[] = {"correct", "counters", "clean", "speed", NULL};
const char *const sl_check_names[] = {"exact", "rounding", NULL};
const char *const sl_entry_names[] = {"scan", "sort", NULL};
const char *const sl_audience_names[] = {"public", "hidden", "after_due", NULL};

// One case --------------------------------------------------------------------------------------------------

void sl_case_init(sl_case *c, const sl_lab_info *lab) {
  *c = (sl_case){
      .type = lab->type, .kind = lab->kind, .dist = "uniform_int", .seed = 1, .calls = 1, .timeout = 60};
  c->bits = 4;
  c->host_bytes = SL_ANY;
  c->full = 0.9;
  c->one_block = lab->one_block;
  c->op = SL_ADD;
}

bool sl_case_salt(sl_case *c, const char *salt) {
  char *end;
  uint64_t key = strtoull(salt, &end, 16);
  if (strlen(salt) != SL_SALT_DIGITS || *end) return false;
  c->seed = sl_mix(c->seed ^ key) >> 11; // exact in JSON, too
  return c->salted = true;
}

static bool check_sort(const sl_case *c, const sl_lab_info *lab, int code, sl_error *e) {
  if (!lab->sort) return sl_fail(e, code, NULL, "lab %s has no entry \"sort\"", lab->name);
  if (c->type == SL_AFFINE)
    return sl_fail(e, code, "the types of keys are f32, i32 and u32", "affine maps cannot be sorted");
  if (c->bits < 1 || c->bits > 8) return sl_fail(e, code, NULL, "bits: expected 1 to 8, found %u", c->bits);
  return c->check == SL_CHECK_EXACT || sl_fail(e, code, NULL, "a sort is checked exactly, not by rounding");
}

static bool check_scan(const sl_case *c, const sl_lab_info *lab, int code, sl_error *e) {
  char hint[160];
  if (lab->own)
    return (c->type != SL_AFFINE && c->op == SL_ADD && !c->values && c->check == SL_CHECK_EXACT) ||
           sl_fail(e, code, "its reference.c says what is compared, and how",
                   "a case of lab %s has a type (f32, i32 or u32), and neither op, values nor check",
                   lab->name);
  snprintf(hint, sizeof hint, "lab %s takes: type %s, op add, scan %s", lab->number, sl_type_names[lab->type],
           sl_kind_names[lab->kind]);
  if (!lab->any_pair && (c->type != lab->type || c->op != SL_ADD || c->kind != lab->kind))
    return sl_fail(e, code, hint, "the %s %s of %s is not what lab %s computes", sl_kind_names[c->kind],
                   sl_op_names[c->op], sl_type_names[c->type], lab->name);
  if (!sl_op_valid(c->type, c->op))
    return sl_fail(e, code, "add and max take f32, i32 and u32; compose takes affine",
                   "there is no operator %s on %s", sl_op_names[c->op], sl_type_names[c->type]);
  if (!lab->any_pair && c->tile != SL_TILE_EFFICIENT)
    return sl_fail(e, code, NULL, "lab %s has no choice of tile", lab->name);
  if (c->values) return sl_fail(e, code, NULL, "values belong to the entry \"sort\" of lab 06");
  return c->check == SL_CHECK_EXACT || (c->type == SL_F32 && c->op == SL_ADD) ||
         sl_fail(e, code, NULL, "the check \"rounding\" is for sums of f32");
}

// The lab's reference.c names its scalars and their bounds (own.c).
static bool check_scalars(const sl_case *c, const sl_lab_info *lab, int code, sl_error *e) {
  return lab->own || !c->n_scalars ||
         sl_fail(e, code, "only labs with an entry point of their own have scalars",
                 "lab %s takes no scalars", lab->name);
}

static bool check_size(uint64_t n, const sl_lab_info *lab, int code, sl_error *e) {
  return n <= lab->max_n || n == SL_WHOLE ||
         sl_fail(e, code, NULL, "n: expected 0 to %llu for lab %s, found %llu",
                 (unsigned long long)lab->max_n, lab->name, (unsigned long long)n);
}

bool sl_case_check(const sl_case *c, const sl_lab_info *lab, int code, sl_error *e) {
  if (!check_size(c->n, lab, code, e) || !check_scalars(c, lab, code, e)) return false;
  if (c->unaligned && lab->one_block)
    return sl_fail(e, code, "labs 05 and 06 have such cases", "the arrays of lab %s are aligned", lab->name);
  for (unsigned k = 0; k < c->n_also; k++)
    if (!check_size(c->also[k], lab, code, e)) return false;
  for (unsigned k = 0; k < c->n_draw; k++)
    if (!check_size(c->draw[k].to, lab, code, e)) return false;
  if (!check_size(c->named.to, lab, code, e)) return false;
  if (!(c->entry == SL_ENTRY_SORT ? check_sort : check_scan)(c, lab, code, e)) return false;
  sl_error why = {0};
  if (c->dist[0] && !sl_dist_check(c->dist, c->type, &why)) return sl_fail(e, code, why.hint, "%s", why.text);
  return true;
}

// Expanding -------------------------------------------------------------------------------------------------

// Copies [pattern] to [out] with "{n}" replaced. False: it has no room there.
static bool expand_id(const char *pattern, uint64_t n, char out[SL_ID_CHARS]) {
  const char *at = strstr(pattern, "{n}");
  const int len = at ? snprintf(out, SL_ID_CHARS, "%.*s%llu%s", (int)(at - pattern), pattern,
                                (unsigned long long)n, at + 3)
                     : snprintf(out, SL_ID_CHARS, "%s", pattern);
  return len < SL_ID_CHARS;
}

// Where results alone are judged, little is counted.
static bool expects_fit(const sl_case *c, sl_part_kind kind) {
  bool cheap = kind == SL_PART_CORRECT;
  for (unsigned k = 0; k < c->n_expect; k++)
    cheap &= !strcmp(c->expect[k].name, "lone_warp") || !strcmp(c->expect[k].name, "launches");
  return kind == SL_PART_COUNTERS ? c->n_expect > 0 : !c->n_expect || cheap;
}

static bool has_rows(const sl_case *c) {
  for (unsigned k = 0; k < c->n_also; k++)
    if (c->times[k]) return true;
  return false;
}

#define BAD_ID "an id is letters, digits, '_' and '-', at most 63"

static bool add_case(sl_lab_reader *r, sl_part *part, const sl_case *c) {
  sl_error why = {0};
  char where[SL_ID_CHARS * 2 + 16];
  snprintf(where, sizeof where, "%s.%s", part->id, c->id);
  if (!sl__is_id(c->id)) return sl__bad(r, where, BAD_ID);
  for (size_t k = 0; k < part->n_cases; k++)
    if (!strcmp(part->cases[k].id, c->id))
      return sl__bad(r, where, "this id is there twice (has it \"{n}\"?)");
  if (!sl_case_check(c, r->lab->info, SL_EXIT_INPUT, &why))
    return sl_fail(r->e, SL_EXIT_INPUT, why.hint, "%s: %s: %s", r->path, where, why.text);
  if (!expects_fit(c, part->kind))
    return sl__bad(r, where,
                   "\"expect\" belongs to every case of kind \"counters\"; one of kind \"correct\" may bound "
                   "\"lone_warp\" and \"launches\"");
  if (has_rows(c) && part->kind != SL_PART_CLEAN)
    return sl__bad(r, where,
                   "\"also\": calls in a row belong to kind \"clean\", as none but the last is compared");
  if ((c->reference_launches > 0) != (part->kind == SL_PART_SPEED))
    return sl__bad(r, where, "\"reference\" belongs to every case of kind \"speed\", and to no other");
  if (part->kind == SL_PART_SPEED && r->lab->info->own)
    return sl__bad(r, where, "a lab with its own entry point has no kind \"speed\"");
  if (part->kind == SL_PART_SPEED && (sl_case_has_companions(c) || c->schedules[0]))
    return sl__bad(r, where, "a case of kind \"speed\" has one size, one call, and the usual schedule");
  if (part->n_cases >= MAX_CASES) return sl__bad(r, where, "too many cases");
  if (!SL_ROOM(part->cases, part->n_cases)) return sl_fail(r->e, SL_EXIT_INFRA, NULL, "out of memory");
  part->cases[part->n_cases++] = *c;
  return true;
}

// Reads one entry of "cases": a case for each size. A case without points has -1 until they are shared.
static bool read_case(sl_lab_reader *r, sl_part *part, json_t *defaults, json_t *object) {
  sl_error why = {0};
  const char *id = json_string_value(json_object_get(object, "id"));
  json_t *n = json_object_get(object, "n"), *points = json_object_get(object, "points");
  sl_case c;
  char where[SL_ID_CHARS + 96];
  snprintf(where, sizeof where, "part %s, case %.60s", part->id, id ? id : "without id");
  sl_case_init(&c, r->lab->info);
  c.host_bytes = 0;
  if ((defaults && !sl__case_apply(&c, defaults, where, &why)) || !sl__case_apply(&c, object, where, &why))
    return sl_fail(r->e, SL_EXIT_INPUT, why.hint, "%s: %s", r->path, why.text);
  if (!id || (!n && !c.dataset[0])) return sl__bad(r, where, "\"id\" and \"n\" (or \"dataset\") are needed");
  c.rotated = c.dataset[0]; // a salted seed makes it another input, which nobody can prepare results for
  c.points = points ? json_number_value(points) : -1;
  if (points && !(json_is_number(points) && c.points >= 0))
    return sl__bad(r, where, "\"points\": expected a number >= 0");
  size_t sizes = json_is_array(n) ? json_array_size(n) : n ? 1 : 0;
  if (n && !sizes) return sl__bad(r, where, "\"n\": expected a size, or a list of them, not empty");
  if (!n) {
    c.n = SL_WHOLE;
    return expand_id(id, c.n, c.id) ? add_case(r, part, &c) : sl__bad(r, where, BAD_ID);
  }
  for (size_t k = 0; k < sizes; k++) {
    if (!sl__json_int(json_is_array(n) ? json_array_get(n, k) : n, "n", 0, UINT32_MAX, &c.n, &why))
      return sl__bad(r, where, why.text);
    if (!expand_id(id, c.n, c.id)) return sl__bad(r, where, BAD_ID);
    if (!add_case(r, part, &c)) return false;
  }
  return true;
}

// Points ----------------------------------------------------------------------------------------------------

static bool bad_sum(const sl_lab_reader *r, const char *where, const char *what, double sum, const char *of,
                    double points) {
  SL_FREED char *text = sl_path(
      "the points of the %s do not add up to those of the %s: they are %g, it has %g", what, of, sum, points);
  return sl__bad(r, where, text);
}

static bool share_points(const sl_lab_reader *r, sl_part *part) {
  double left = part->points;
  size_t takers = 0;
  for (size_t k = 0; k < part->n_cases; k++) {
    if (part->cases[k].points < 0) takers++;
    else left -= part->cases[k].points;
  }
  if (left < -1e-9 || (takers == 0 && fabs(left) > 1e-9))
    return bad_sum(r, part->id, "cases", part->points - left, "part", part->points);
  for (size_t k = 0; k < part->n_cases; k++)
    if (part->cases[k].points < 0) part->cases[k].points = left / (double)takers;
  return true;
}

static bool check_total(const sl_lab_reader *r) {
  double sum = 0;
  for (size_t k = 0; k < r->lab->n_parts; k++) sum += r->lab->parts[k].points;
  return fabs(sum - r->lab->points) < 1e-9 ||
         bad_sum(r, r->lab->info->name, "parts", sum, "lab", r->lab->points);
}

// Parts and the file ----------------------------------------------------------------------------------------

static bool read_part(sl_lab_reader *r, json_t *object) {
  static const char *const keys[] = {"id",    "title", "points", "kind",  "defaults",
                                     "cases", "needs", "whole",  "about", NULL};
  sl_part *part = &r->lab->parts[r->lab->n_parts++];
  const char *id = json_string_value(json_object_get(object, "id"));
  const char *kind = json_string_value(json_object_get(object, "kind"));
  const char *title = json_string_value(json_object_get(object, "title"));
  json_t *cases = json_object_get(object, "cases"), *points = json_object_get(object, "points");
  json_t *whole = json_object_get(object, "whole"), *defaults = json_object_get(object, "defaults");
  sl_error why = {0};
  if (!sl__is_id(id)) return sl__bad(r, "a part", "\"id\": expected letters, digits, '_' and '-'");
  snprintf(part->id, sizeof part->id, "%s", id);
  part->title = sl_path("%s", title ? title : id);
  part->points = json_number_value(points);
  part->whole = json_is_true(whole);
  if (!sl__only_keys(r, object, id, keys)) return false;
  if (!json_is_number(points) || part->points < 0)
    return sl__bad(r, id, "\"points\": expected a number >= 0");
  if (json_object_get(object, "title") && !title)
    return sl__bad(r, id, "\"title\": expected a text in quotes");
  if (whole && !json_is_boolean(whole)) return sl__bad(r, id, "\"whole\": expected true or false");
  int k = sl_name_find("kind", kind ? kind : "", sl_part_kind_names, SL_EXIT_INPUT, &why);
  if (k < 0) return sl_fail(r->e, SL_EXIT_INPUT, why.hint, "%s: %s: %s", r->path, id, why.text);
  part->kind = (sl_part_kind)k;
  if (defaults && !json_is_object(defaults)) return sl__bad(r, id, "\"defaults\": expected an object");
  if (!json_is_array(cases) || json_array_size(cases) == 0)
    return sl__bad(r, id, "\"cases\": expected a list, not empty");
  for (size_t i = 0; i < json_array_size(cases); i++)
    if (!read_case(r, part, defaults, json_array_get(cases, i))) return false;
  return share_points(r, part);
}

static bool read_needs(sl_lab_reader *r, sl_part *part, json_t *list) {
  sl_error why = {0};
  size_t k;
  json_t *name;
  if (list && (!json_is_array(list) || json_array_size(list) > SL_MAX_NEEDS))
    return sl__bad(r, part->id, "\"needs\": expected a list of up to 4 names");
  json_array_foreach(list, k, name) {
    const char *text = json_string_value(name);
    const sl_case *c = sl_lab_case(r->lab, text ? text : "", &why);
    if (!c) return sl__bad(r, part->id, why.text);
    snprintf(part->needs[part->n_needs++], sizeof *part->needs, "%s", text);
  }
  return true;
}

static bool read_lab(sl_lab_reader *r, json_t *root) {
  static const char *const keys[] = {"lab",      "title",    "file",  "points",    "parts", "hints", "launch",
                                     "barriers", "sections", "clues", "libraries", "about", NULL};
  const char *name = json_string_value(json_object_get(root, "lab"));
  const char *title = json_string_value(json_object_get(root, "title"));
  const char *file = json_string_value(json_object_get(root, "file"));
  json_t *parts = json_object_get(root, "parts"), *points = json_object_get(root, "points");
  sl_error why = {0};
  if (!json_is_object(root) || !sl__only_keys(r, root, "the lab", keys))
    return sl__bad(r, "the lab", "expected an object");
  r->lab->info = sl_lab_find(name ? name : "", &why);
  if (!r->lab->info) return sl__bad(r, "\"lab\"", why.text);
  r->lab->title = sl_path("%s", title ? title : name);
  r->lab->file = sl_path("%s", file ? file : "kernel.cu");
  r->lab->points = json_number_value(points);
  if (!json_is_number(points)) return sl__bad(r, "\"points\"", "expected a number");
  if (!sl__read_advice(r, root)) return false;
  if (!json_is_array(parts) || json_array_size(parts) == 0)
    return sl__bad(r, "\"parts\"", "expected a list, not empty");
  r->lab->parts = calloc(json_array_size(parts), sizeof *r->lab->parts);
  if (!r->lab->parts) return sl_fail(r->e, SL_EXIT_INFRA, NULL, "out of memory");
  for (size_t k = 0; k < json_array_size(parts); k++) {
    if (!read_part(r, json_array_get(parts, k))) return false;
    for (size_t i = 0; i < k; i++)
      if (!strcmp(r->lab->parts[i].id, r->lab->parts[k].id))
        return sl__bad(r, r->lab->parts[k].id, "this part is there twice");
  }
  for (size_t k = 0; k < r->lab->n_parts; k++)
    if (!read_needs(r, &r->lab->parts[k], json_object_get(json_array_get(parts, k), "needs"))) return false;
  return check_total(r);
}

// Lets cases point to their parts and to each other: from here on they stay where they are.
static bool link_case(const sl_lab_reader *r, sl_part *part, sl_case *c) {
  sl_error why = {0};
  c->part = part;
  part->lab = r->lab;
  for (unsigned k = 0; k < c->n_then; k++) {
    c->then_case[k] = sl_lab_case(r->lab, c->then[k], &why);
    if (!c->then_case[k]) return sl__bad(r, part->id, why.text);
    if (c->then_case[k]->n_then) return sl__bad(r, part->id, "\"then\": that case has a \"then\" of its own");
  }
  return true;
}

static bool link_cases(const sl_lab_reader *r) {
  for (size_t k = 0; k < r->lab->n_parts; k++)
    for (size_t i = 0; i < r->lab->parts[k].n_cases; i++)
      if (!link_case(r, &r->lab->parts[k], &r->lab->parts[k].cases[i])) return false;
  return true;
}

sl_lab *sl_lab_load(const char *path, sl_error *e) {
  json_t *root = sl_json_read(path, MAX_FILE, e);
  if (!root) return NULL;
  sl_lab_reader r = {path, calloc(1, sizeof(sl_lab)), e};
  bool ok = r.lab && read_lab(&r, root);
  json_decref(root);
  if (ok && link_cases(&r)) {
    sl__hide_ids(r.lab);
    return r.lab;
  }
  if (!r.lab) sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory");
  sl_lab_free(r.lab);
  return NULL;
}

void sl_lab_free(sl_lab *lab) {
  if (!lab) return;
  for (size_t k = 0; k < lab->n_parts; k++) {
    free(lab->parts[k].title);
    free(lab->parts[k].cases);
  }
  for (size_t k = 0; k < lab->n_hints; k++) free(lab->hints[k]);
  free(lab->hints);
  json_decref(lab->clues);
  json_decref(lab->sections);
  free(lab->parts);
  free(lab->title);
  free(lab->file);
  free(lab);
}
