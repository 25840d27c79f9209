// Reading the fields of one case from JSON: shared by cases.c (parts and files) and case_fields.c.
#pragma once

#include <jansson.h>
#include "judge/cases.h"

// Applies every field of the JSON object [fields] to [c], except "id", "n" and "points", which the caller
// expands. [where] names the place in errors. False with [e] on an unknown field or a wrong value.
bool sl__case_apply(sl_case *c, json_t *fields, const char *where, sl_error *e);

// Reads a whole number within [min, max]. [key] names it in the error.
bool sl__json_int(json_t *value, const char *key, uint64_t min, uint64_t max, uint64_t *out, sl_error *e);

// hidden.c: gives the cases that are not public ids that tell nothing.
void sl__hide_ids(sl_lab *lab);
