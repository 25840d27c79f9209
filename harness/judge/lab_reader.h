// Inside the reader of lab.json: cases.c reads parts and cases, advice.c the rest.
#pragma once

#include <jansson.h>
#include "judge/cases.h"

typedef struct sl_lab_reader {
  const char *path;
  sl_lab *lab;
  sl_error *e;
} sl_lab_reader;

// advice.c
bool sl__bad(const sl_lab_reader *r, const char *where, const char *what); // false, with the reader's error
bool sl__is_id(const char *s);                                             // letters, digits, '_' and '-'
bool sl__only_keys(const sl_lab_reader *r, json_t *object, const char *where, const char *const *keys);
bool sl__read_advice(sl_lab_reader *r, json_t *root); // hints, launch, barriers, clues, sections
