// Sizes that a kernel's source names.
#pragma once

#include "judge/cases.h"

enum { SL_MOST_NUMBERS = 256 };

typedef struct sl_numbers {
  unsigned n;
  uint64_t at[SL_MOST_NUMBERS];
} sl_numbers;

// Adds the whole numbers of [text], C++ source, that are below 2^32, each once.
void sl_numbers_in(const char *text, size_t len, sl_numbers *s);
// Adds the sizes near [numbers], sorted.
void sl_sizes_near(const sl_named *o, const sl_numbers *numbers, sl_numbers *sizes);
