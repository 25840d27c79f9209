// barrier.mask: member masks of warp-level instructions. Each lane must be in its own mask, and lanes that
// meet in an exchange must name the same mask. (It may name lanes that have ended.)
#include "observers/observers.h"

bool sl__one_mask(const sl_warp *w, const uint32_t *member) {
  const uint32_t first = member[__builtin_ctz(w->mask) % SL_LANES];
  uint32_t differ = 0;
  for (int l = 0; l < SL_LANES; l++) differ |= (0 - (w->mask >> l & 1)) & (member[l] ^ first);
  return !differ && !(w->mask & ~first);
}

static void check_mask(sl_warp *w, const sl_xinsn *i, const uint32_t *member, bool meet) {
  uint32_t pc = sl__pc(w, i), *told;
  SL_FOR_LANES(l, w->mask) {
    uint32_t mine = member[l], other = 0;
    for (uint32_t o = mine & w->mask; meet && o; o &= o - 1)
      if (member[__builtin_ctz(o)] != mine) other = o;
    if ((mine >> l) & 1 && !other) continue;
    if (!(told = sl__table_put(&sl__seen_grid(w->grid)->reports, pc, 5)) || (*told)++) return;
    if (!((mine >> l) & 1))
      sl__finding_note(
          w, i, (int)l, SL_FOUND_BARRIER_MASK,
          "lane %u executes a warp-level instruction with member mask 0x%08x, which does not name it", l,
          mine);
    else
      sl__finding_note(w, i, (int)l, SL_FOUND_BARRIER_MASK,
                       "lanes %u and %u exchange values with different member masks, 0x%08x and 0x%08x", l,
                       (uint32_t)__builtin_ctz(other), mine, member[__builtin_ctz(other)]);
    return;
  }
}

static void mask_before(sl_warp *w, const sl_xinsn *i, const sl_patch *p, const sl_access *) {
  const sl_seen_grid *g = sl__seen_grid(w->grid);
  if (!g->one_mask) check_mask(w, i, g->member, p->kind == SL_SEE_WARP);
}

const sl_probe sl__probe_mask = {.name = "mask",
                                 .checks = SL_CHECK_BARRIER_MASK,
                                 .kinds = SL_SEES(WARP) | SL_SEES(WARP_BAR),
                                 .before = mask_before};
