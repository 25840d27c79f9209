// Orders of a block's warps other than greedy: which warp runs next, and for how many instructions. A program
// whose result depends on the order lacks a barrier. The same seed gives the same order. In random orders
// with observers (or with weak visibility, or in a cooperative launch) a block, too, may lose its turn
// anywhere, so another block sees its work half done.
#include "engine/core.h"

// SLICES_OF_A_BLOCK: on average, in random orders, until another block has a turn
enum { LONGEST_SLICE = 16, SLICES_OF_A_BLOCK = 8 };

// The first warp at or after [from], in a circle, that can run; n_warps: none.
static uint32_t next_from(const sl_block *b, uint32_t from) {
  for (uint32_t k = 0; k < b->n_warps; k++)
    if (sl__warp_runnable(b, (from + k) % b->n_warps)) return (from + k) % b->n_warps;
  return b->n_warps;
}

static uint32_t ahead(const sl_block *b) {
  return (uint32_t)(sl__mix(b->grid->gpu->cfg.seed + 77) >> 33) % b->n_warps;
}

static uint32_t pick(sl_block *b, uint32_t *slice) {
  uint32_t k, first;
  *slice = 1;
  switch (b->grid->gpu->cfg.warps) {
  case SL_WARPS_RANDOM:
    *slice = 1 + sl__roll(&b->dice, LONGEST_SLICE);
    return next_from(b, sl__roll(&b->dice, b->n_warps));
  case SL_WARPS_ONE_AHEAD:
    first = ahead(b);
    if (sl__warp_runnable(b, first)) {
      *slice = 0;
      return first;
    }
    break;
  default: break;
  }
  k = next_from(b, b->next_warp);
  b->next_warp = (k + 1) % b->n_warps;
  return k;
}

static sl_warp_run turn(sl_block *b, uint32_t k, uint32_t slice, int64_t *budget) {
  b->warps[k].slice = slice;
  return sl__run_warp(&b->warps[k], budget);
}

// A warp asked for a pause: every other warp runs until it waits, then other blocks have a turn.
static sl_warp_run pause_of(sl_block *b, uint32_t who, int64_t *budget) {
  for (uint32_t k = (who + 1) % b->n_warps; k != who; k = (k + 1) % b->n_warps)
    if (sl__warp_runnable(b, k) && turn(b, k, 0, budget) == SL_RUN_FAULT) return SL_RUN_FAULT;
  return b->live_threads ? SL_RUN_QUANTUM : SL_RUN_DONE;
}

// Never if blocks may run side by side: findings and output must not depend on the number of cores.
bool sl__loses_turns(const sl_grid *g) {
  return g->gpu->cfg.warps == SL_WARPS_RANDOM && (g->gpu->cfg.checks || g->weak || g->l->cooperative);
}

sl_warp_run sl__interleave(sl_block *b) {
  int64_t budget = b->grid->share;
  for (;;) {
    uint32_t slice, k = pick(b, &slice);
    if (k == b->n_warps) return b->live_threads ? SL_RUN_BLOCKED : SL_RUN_DONE;
    sl_warp_run r = turn(b, k, slice, &budget);
    if (r == SL_RUN_FAULT) return r;
    if (r == SL_RUN_QUANTUM) return pause_of(b, k, &budget);
    if (r != SL_RUN_SLICE || !sl__loses_turns(b->grid)) continue;
    if (sl__weak_passed(b) || !sl__roll(&b->dice, SLICES_OF_A_BLOCK)) return r;
  }
}
