// For tests: numbers to scan and to sort.
#pragma once

#include "reference/reference.h"

static inline void fill(sl_type type, uint32_t *words, size_t n) {
  for (size_t i = 0; i < n * sl_elem_size(type) / 4; i++) {
    words[i] = (uint32_t)(i * 2654435761u + 12345u);
    if (type == SL_F32) ((float *)words)[i] = (float)((int)(words[i] % 7) - 3);
  }
}

static inline uint32_t float_bits(float f) { return ((sl_elem){.f = f}).u; }
