// Files of JSON, and members of objects: one that is not there, or is of another type, is "" or 0.
#pragma once

#include "base/base.h"

#include <jansson.h>

// The value in the file, of at most [max] bytes; no object has a key twice. NULL: with [e].
static inline json_t *sl_json_read(const char *path, size_t max, sl_error *e) {
  json_error_t at;
  size_t len;
  char *text = sl_read_file(path, max, &len, e);
  json_t *v = text ? json_loadb(text, len, JSON_REJECT_DUPLICATES, &at) : NULL;
  if (text && !v) sl_fail(e, SL_EXIT_INPUT, NULL, "%s:%d:%d: %s", path, at.line, at.column, at.text);
  free(text);
  return v;
}

// Tells that [what] has not become JSON: malloc says whether memory was short; else a text is not UTF-8.
static inline bool sl_json_fault(const char *what, sl_error *e) {
  return errno == ENOMEM ? sl_fail(e, SL_EXIT_INFRA, "close other programs, or grade the class in parts",
                                   "%s: out of memory", what)
                         : sl_fail(e, SL_EXIT_INFRA, NULL, "%s: cannot be put into JSON", what);
}

// Writes [v] to a file by sl_write_file or sl_write_passing, and drops it. NULL: it could not be made.
static inline bool sl_json_write(bool (*write)(const char *, const void *, size_t, sl_error *),
                                 const char *path, json_t *v, size_t flags, sl_error *e) {
  SL_FREED char *text = v ? json_dumps(v, flags) : NULL;
  json_decref(v);
  return text ? write(path, text, strlen(text), e) : sl_json_fault(path, e);
}

static inline bool sl_json_print(const json_t *v) {
  return json_dumpf(v, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER) == 0 && putchar('\n') != EOF &&
         fflush(stdout) == 0;
}

static inline const char *sl_json_text(const json_t *o, const char *key) {
  const char *text = json_string_value(json_object_get(o, key));
  return text ? text : "";
}
static inline json_int_t sl_json_int(const json_t *o, const char *key) {
  return json_integer_value(json_object_get(o, key));
}
static inline double sl_json_number(const json_t *o, const char *key) { // an integer, too
  return json_number_value(json_object_get(o, key));
}
