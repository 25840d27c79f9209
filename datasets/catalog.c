// Reads catalog.json (what the sets are) and manifest.json (which bytes their files have).
//
// Interface: data.h. Both readers are strict: a missing, doubled, unknown or wrongly typed key is an error
// that names the file, the set and the key. File names hold no slash, so a catalog cannot point outside the
// data folder.
#include "data.h"

#include <math.h>

enum { MAX_JSON = 4 << 20 };
#define MAX_ELEMENTS ((json_int_t)1 << 28)

// JSON ------------------------------------------------------------------------------------------------------

// The place of a value, for messages.
typedef struct place {
  const char *file, *what, *name;
} place;

static bool wrong(const place *p, const char *key, const char *expected, sl_error *e) {
  return sl_fail(e, SL_EXIT_INPUT, NULL, "%s: %s %s: key \"%s\": expected %s", p->file, p->what, p->name, key,
                 expected);
}

static const char *get_string(const json_t *o, const place *p, const char *key, sl_error *e) {
  const char *s = json_string_value(json_object_get(o, key));
  if (!s) wrong(p, key, "a string", e);
  return s;
}

static bool get_int(const json_t *o, const place *p, const char *key, json_int_t max, json_int_t *out,
                    sl_error *e) {
  const json_t *v = json_object_get(o, key);
  *out = json_integer_value(v);
  if (json_is_integer(v) && *out >= 0 && *out <= max) return true;
  char expected[64];
  snprintf(expected, sizeof expected, "a whole number from 0 to %lld", (long long)max);
  return wrong(p, key, expected, e);
}

// Is every key of [o] in [keys]?
static bool only_keys(json_t *o, const place *p, const char *const *keys, sl_error *e) {
  const char *key;
  json_t *v;
  json_object_foreach(o, key, v) {
    size_t k = 0;
    while (keys[k] && strcmp(keys[k], key) != 0) k++;
    if (keys[k]) continue;
    const char *near = sl_nearest(key, keys);
    char hint[64] = "";
    if (near) snprintf(hint, sizeof hint, "did you mean \"%s\"?", near);
    return sl_fail(e, SL_EXIT_INPUT, hint, "%s: %s %s: unknown key \"%s\"", p->file, p->what, p->name, key);
  }
  return true;
}

// The array under [key].
static const json_t *get_list(const json_t *root, const char *path, const char *key, sl_error *e) {
  const json_t *list = json_object_get(root, key);
  if (json_is_array(list)) return list;
  sl_fail(e, SL_EXIT_INPUT, NULL, "%s: expected an object with a list \"%s\"", path, key);
  return NULL;
}

static bool plain_name(const char *s) {
  return *s && strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(s) && strlen(s) < 64;
}

// Catalog ---------------------------------------------------------------------------------------------------

static bool get_bound(const char *name, const json_t *v, const place *p, sl_type type, sl_bound *out,
                      sl_error *e) {
  const json_t *low = json_array_get(v, 0), *high = json_array_get(v, 1);
  sl_error inner = {0};
  if (!sl__measure_check(name, type, &inner))
    return sl_fail(e, inner.code, inner.hint, "%s: %s %s: %s", p->file, p->what, p->name, inner.text);
  *out = (sl_bound){name, json_number_value(low), json_number_value(high)};
  if (json_array_size(v) != 2 || !json_is_number(low) || !json_is_number(high) || !(out->min <= out->max))
    return wrong(p, name, "[least, largest]", e);
  return true;
}

static bool get_bounds(json_t *post, const place *p, sl_set *set, sl_error *e) {
  const char *name;
  json_t *v;
  if (!json_is_object(post) || json_object_size(post) == 0)
    return wrong(p, "post", "an object with a post-condition or more", e);
  set->bounds = calloc(json_object_size(post), sizeof *set->bounds);
  if (!set->bounds) return sl_fail(e, SL_EXIT_INFRA, NULL, "out of memory");
  json_object_foreach(post, name, v)
    if (!get_bound(name, v, p, set->spec.type, &set->bounds[set->n_bounds++], e)) return false;
  return true;
}

static bool get_spec(const json_t *o, const place *p, sl_gen_spec *spec, sl_error *e) {
  json_int_t n, seed;
  sl_error inner = {0};
  const char *type = get_string(o, p, "type", e);
  spec->dist = get_string(o, p, "dist", e);
  if (!type || !spec->dist || !get_int(o, p, "n", MAX_ELEMENTS, &n, e) ||
      !get_int(o, p, "seed", INT64_MAX, &seed, e))
    return false;
  spec->n = (size_t)n;
  spec->seed = (uint64_t)seed;
  if (sl_npy_type_parse(type, &spec->type, &inner) && sl_dist_check(spec->dist, spec->type, &inner))
    return true;
  return sl_fail(e, inner.code, inner.hint, "%s: %s %s: %s", p->file, p->what, p->name, inner.text);
}

static bool get_set(json_t *o, const char *path, const sl_catalog *before, sl_set *set, sl_error *e) {
  static const char *const keys[] = {"name", "file", "about", "type", "n", "dist", "seed", "post", NULL};
  char number[32];
  snprintf(number, sizeof number, "number %zu", before->n + 1);
  place p = {path, "dataset", number};
  if (!(set->name = get_string(o, &p, "name", e))) return false;
  if (!plain_name(set->name)) return wrong(&p, "name", "at most 63 of a-z, 0-9 and _", e);
  p.name = set->name;
  for (size_t i = 0; i < before->n; i++)
    if (strcmp(before->sets[i].name, set->name) == 0) return wrong(&p, "name", "each name once", e);
  char file[80];
  snprintf(file, sizeof file, "%s.npy", set->name);
  if (!(set->file = get_string(o, &p, "file", e)) || !(set->about = get_string(o, &p, "about", e)))
    return false;
  if (strcmp(set->file, file) != 0) return wrong(&p, "file", "the name of the dataset followed by .npy", e);
  return get_spec(o, &p, &set->spec, e) && get_bounds(json_object_get(o, "post"), &p, set, e) &&
         only_keys(o, &p, keys, e);
}

bool sl__catalog_load(const char *path, sl_catalog *out, sl_error *e) {
  *out = (sl_catalog){.json = sl_json_read(path, MAX_JSON, e)};
  const json_t *list = out->json ? get_list(out->json, path, "datasets", e) : NULL;
  bool ok = list != NULL;
  if (ok) out->sets = calloc(json_array_size(list) + 1, sizeof *out->sets);
  for (size_t i = 0; ok && i < json_array_size(list); i++) {
    ok = get_set(json_array_get(list, i), path, out, &out->sets[i], e);
    out->n++;
  }
  if (!ok) sl__catalog_free(out);
  return ok;
}

void sl__catalog_free(sl_catalog *c) {
  for (size_t i = 0; i < c->n; i++) free(c->sets[i].bounds);
  free(c->sets);
  json_decref(c->json);
  *c = (sl_catalog){0};
}

const sl_set *sl__catalog_find(const sl_catalog *c, const char *name, sl_error *e) {
  const char **names = calloc(c->n + 1, sizeof *names);
  for (size_t i = 0; i < c->n; i++) {
    names[i] = c->sets[i].name;
    if (strcmp(name, names[i]) == 0) {
      free(names);
      return &c->sets[i];
    }
  }
  const char *near = sl_nearest(name, names);
  char hint[128];
  snprintf(hint, sizeof hint, near ? "did you mean %s?" : "./scanlab datasets list shows the names%s",
           near ? near : "");
  free(names);
  sl_fail(e, SL_EXIT_INPUT, hint, "unknown dataset '%s'", name);
  return NULL;
}

// Manifest --------------------------------------------------------------------------------------------------

static bool get_entry(json_t *o, const char *path, size_t index, sl_catalog_entry *out, sl_error *e) {
  char number[32];
  snprintf(number, sizeof number, "number %zu", index + 1);
  place p = {path, "file", number};
  json_int_t bytes;
  if (!(out->name = get_string(o, &p, "name", e))) return false;
  p.name = out->name;
  if (!(out->sha256 = get_string(o, &p, "sha256", e)) || !get_int(o, &p, "bytes", INT64_MAX, &bytes, e))
    return false;
  out->bytes = (uint64_t)bytes;
  if (strlen(out->sha256) != 64 || strspn(out->sha256, "0123456789abcdef") != 64)
    return wrong(&p, "sha256", "64 digits of 0-9 and a-f", e);
  return true;
}

bool sl__manifest_load(const char *path, sl_manifest *out, sl_error *e) {
  *out = (sl_manifest){.json = sl_json_read(path, MAX_JSON, e)};
  const json_t *list = out->json ? get_list(out->json, path, "files", e) : NULL;
  json_int_t version = json_integer_value(json_object_get(out->json, "generator"));
  bool ok = list != NULL;
  if (ok && version != SL_DATA_GENERATOR)
    ok = sl_fail(e, SL_EXIT_INPUT, "make it anew with: ./scanlab datasets manifest --force",
                 "%s: expected generator %d, found %lld", path, SL_DATA_GENERATOR, (long long)version);
  if (ok) out->entries = calloc(json_array_size(list) + 1, sizeof *out->entries);
  for (size_t i = 0; ok && i < json_array_size(list); i++)
    ok = get_entry(json_array_get(list, i), path, i, &out->entries[out->n++], e);
  if (!ok) sl__manifest_free(out);
  return ok;
}

void sl__manifest_free(sl_manifest *m) {
  free(m->entries);
  json_decref(m->json);
  *m = (sl_manifest){0};
}

const sl_catalog_entry *sl__manifest_find(const sl_manifest *m, const char *name, sl_error *e) {
  for (size_t i = 0; i < m->n; i++)
    if (strcmp(m->entries[i].name, name) == 0) return &m->entries[i];
  sl_fail(e, SL_EXIT_INPUT, "after a change of the catalog: ./scanlab datasets manifest --force",
          "dataset %s: expected an entry in the manifest, found none", name);
  return NULL;
}

char *sl__manifest_text(const sl_set *const *sets, const sl_catalog_entry *entries, size_t n) {
  json_t *files = json_array(), *root = json_object();
  for (size_t i = 0; i < n; i++) {
    if (!entries[i].sha256) continue;
    json_array_append_new(files, json_pack("{ss ss ss sI sI ss}", "name", sets[i]->name, "file",
                                           sets[i]->file, "type", sl_npy_type_name(sets[i]->spec.type), "n",
                                           (json_int_t)sets[i]->spec.n, "bytes", (json_int_t)entries[i].bytes,
                                           "sha256", entries[i].sha256));
  }
  json_object_set_new(root, "generator", json_integer(SL_DATA_GENERATOR));
  json_object_set_new(root, "files", files);
  char *compact = json_dumps(root, JSON_INDENT(1)), *text = sl_path("%s\n", compact);
  free(compact);
  json_decref(root);
  return text;
}
