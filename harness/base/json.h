// Members of JSON objects. One that is not there, or is of another type, is "" or 0.
#pragma once

#include <jansson.h>

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
