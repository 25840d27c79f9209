// The rows of forms.def spell forms: <a|b> in a row stands for a and for b.
#pragma once

#include "base/base.h"

// Calls see(ctx, form) with each form that [row] spells.
static inline void each_form(const char *row, void (*see)(void *ctx, const char *form), void *ctx) {
  const char *from = strchr(row, '<'), *to = from ? strchr(from, '>') : NULL;
  if (!to) see(ctx, row);
  for (const char *at = from; to && at < to; at += 1 + strcspn(at + 1, "|>")) {
    const int ahead = (int)(from - row), n = (int)strcspn(at + 1, "|>");
    SL_FREED char *one = sl_path("%.*s%.*s%s", ahead, row, n, at + 1, to + 1);
    each_form(one, see, ctx);
  }
}
