// The report's JSON: json.c writes text, recorded.c what was recorded of a launch.
#pragma once

#include "observers/recorded.h"

typedef struct sl_json {
  sl_out *out;
  sl_error *e;
  bool ok;
} sl_json;

// Writes formatted text as it is.
void sl__json_put(sl_json *j, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sl__json_string(sl_json *j, const char *s);
void sl__json_recorded(sl_json *j, const sl_recorded *r); // ", "lines": [..], "arrays": [..], "events": [..]"
