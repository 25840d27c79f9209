// The bank view of an execution (banks.c).
#pragma once

#include "picture/picture.h"

// The worst request of each step as text (NULL: none) and as SVG (NULL: none). False with [e].
bool sl__banks(const json_t *report, const char *source, const sl_pic_choice *c, const char *title,
               FILE *text, const char *svg, sl_error *e);
