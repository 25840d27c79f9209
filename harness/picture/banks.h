// The bank view of an execution (banks.c).
#pragma once

#include "picture/picture.h"

// The worst request of each step. False with [e].
typedef struct sl_bank_view {
  const char *title;
  FILE *text;      // NULL: none
  const char *svg; // a file to write; NULL: none
} sl_bank_view;
bool sl__banks(const json_t *report, const char *source, const sl_pic_choice *c, const sl_bank_view *v,
               sl_error *e);
