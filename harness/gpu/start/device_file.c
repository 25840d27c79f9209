// Reads a device from a JSON file that names a built-in device and the differences from it.
//
//   {"base": "t4", "name": "half a T4", "multiprocessors": 20, "total_memory": 8589934592}
#include "gpu/start/schedule.h"

#include <inttypes.h>
#include <jansson.h>

static const sl_profile_field *field(const char *name) {
  size_t n;
  const sl_profile_field *f = sl_profile_fields(&n);
  for (size_t k = 0; k < n; k++)
    if (strcmp(f[k].name, name) == 0) return &f[k];
  return NULL;
}

static bool unknown_key(const char *path, const char *key, sl_error *e) {
  enum { MOST = 64 };
  const char *names[MOST + 3] = {"name", "base"}, *near;
  size_t n, k = 2;
  const sl_profile_field *f = sl_profile_fields(&n);
  for (size_t i = 0; i < n && i < MOST; i++) names[k++] = f[i].name;
  near = sl_nearest(key, names);
  char hint[128] = "sim --device list prints the keys";
  if (near) snprintf(hint, sizeof hint, "did you mean %s?", near);
  return sl_fail(e, SL_EXIT_INPUT, hint, "%s: a device has no '%.80s'", path, key);
}

static bool set_number(const char *path, const char *key, const json_t *v, sl_profile *p, sl_error *e) {
  static const char *const TYPES[] = {
      "an object", "an array", "a string", "a whole number", "a number with a fraction",
      "true",      "false",    "null"};
  const sl_profile_field *f = field(key);
  if (!f) return unknown_key(path, key, e);
  if (!json_is_integer(v))
    return sl_fail(e, SL_EXIT_INPUT, NULL,
                   "%s: %s (%s) is %s, expected a whole number from %" PRIu64 " to %" PRIu64, path, key,
                   f->help, TYPES[json_typeof(v)], f->min, f->max);
  json_int_t x = json_integer_value(v);
  if (x < 0 || (uint64_t)x < f->min || (uint64_t)x > f->max)
    return sl_fail(e, SL_EXIT_INPUT, NULL, "%s: %s (%s) is %lld, expected %" PRIu64 " to %" PRIu64, path, key,
                   f->help, (long long)x, f->min, f->max);
  sl_profile_set(p, f, (uint64_t)x);
  return true;
}

static bool set_base(const char *path, json_t *root, sl_profile *p, sl_error *e) {
  const json_t *v = json_object_get(root, "base");
  const sl_profile *base = json_is_string(v) ? sl_profile_find(json_string_value(v))
                           : v               ? NULL
                                             : sl_profile_find("default");
  if (!base)
    return sl_fail(e, SL_EXIT_INPUT, "sim --device list prints them",
                   "%s: \"base\" must be the name of a built-in device", path);
  *p = *base;
  return true;
}

// The device's name is the file's path, so that a replay finds it; "name" is for people who read the file.
static bool read_object(const char *path, json_t *root, sl_gpu_options *o, sl_error *e) {
  sl_profile p;
  const char *key;
  json_t *v;
  if (!json_is_object(root)) return sl_fail(e, SL_EXIT_INPUT, NULL, "%s: expected a JSON object", path);
  if (!set_base(path, root, &p, e)) return false;
  json_object_foreach(root, key, v) {
    if (!strcmp(key, "base")) continue;
    if (!strcmp(key, "name")) {
      if (!json_is_string(v)) return sl_fail(e, SL_EXIT_INPUT, NULL, "%s: \"name\" must be a string", path);
    } else if (!set_number(path, key, v, &p, e)) {
      return false;
    }
  }
  sl_error why = {0};
  if (!sl_profile_check(&p, &why)) return sl_fail(e, SL_EXIT_INPUT, why.hint, "%s: %.900s", path, why.text);
  o->own = p;
  o->own.name = NULL;
  return true;
}

bool sl_device_file_read(const char *path, sl_gpu_options *o, sl_error *e) {
  json_error_t je;
  if (strlen(path) >= sizeof o->profile || strchr(path, ','))
    return sl_fail(e, SL_EXIT_USAGE, "use a shorter, relative path",
                   "the path of a device file has at most %zu characters and no comma: %.200s",
                   sizeof o->profile - 1, path);
  json_auto_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &je);
  if (!root && je.line > 0) return sl_fail(e, SL_EXIT_INPUT, NULL, "%s:%d: %s", path, je.line, je.text);
  if (!root) return sl_fail(e, SL_EXIT_INPUT, NULL, "cannot read the device file: %s", je.text);
  bool ok = read_object(path, root, o, e);
  if (ok) snprintf(o->profile, sizeof o->profile, "%s", path);
  return ok;
}

void sl_device_list(void) {
  size_t n;
  const sl_profile_field *f = sl_profile_fields(&n);
  const char *const *name = sl_profile_names();
  printf("%-24s", "");
  for (; *name; name++) printf(" %12s", *name);
  for (size_t k = 0; k < n; k++) {
    printf("\n%-24s", f[k].name);
    for (name = sl_profile_names(); *name; name++)
      printf(" %12" PRIu64, sl_profile_get(sl_profile_find(*name), &f[k]));
    printf("  %s", f[k].help);
  }
  putchar('\n');
}
