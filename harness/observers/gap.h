// Where a barrier may stand between two accesses: for mends.c.
#pragma once

#include "engine/depends.h"
#include "engine/flow.h"
#include "observers/observers.h"

// uniform.c. By basic block, malloc'ed: do all threads pass it? [ends_count]: ending some parts them, too.
bool *sl__uniform(const sl_flow *w, bool ends_count);

// What is found between two accesses.
typedef struct sl_gap {
  sl_mend how;
  uint32_t from, to;
  bool reads; // somebody reads such memory between the two
} sl_gap;
// gap.c. Where a barrier is missing between the two accesses of a race. [warp]: of two lanes of a warp.
sl_gap sl__gap_between(const sl_story *s, bool warp);
