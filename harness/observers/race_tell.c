// What race.shared, race.global and order.fence tell: how the two threads meet, and what may be wrong with that.
//
// Interface: sl__tell_race, sl__tell_order, which race.c calls. advice.c words it, report.c makes the finding.
#include "observers/observers.h"

void sl__tell_order(const sl_access *a, uint32_t l, uint64_t addr, const sl_touch *o, const char *verb,
                    const char *other_verb, const sl_post *p) {
  sl_src_pos pos;
  char flag[160] = "a flag";
  const sl_ptx_insn *in = sl__insn_of(a->w->grid->m, &a->w->grid->code[p->pc], NULL);
  if (in && sl_ptx_position(a->w->grid->m->ptx, in, &pos))
    snprintf(flag, sizeof flag, "the flag written at line %u", pos.line);
  sl__tell(&(sl_story){.id = SL_FOUND_ORDER_FENCE,
                       .a = a,
                       .lane = l,
                       .addr = addr,
                       .verb = verb,
                       .other_verb = other_verb,
                       .other = o,
                       .flag = flag});
}

// Has this thread read the word that it stores, and does the other one store it by the same instruction?
static bool both_update(const sl_access *a, uint32_t l, const sl_touch *me, const sl_touch *o,
                        const sl_cell *c) {
  bool has_read = false;
  for (int k = 0; k < 2; k++)
    has_read |= c->r[k].stamp && c->r[k].block == me->block && c->r[k].thread == me->thread;
  const uint32_t lane = o->thread % SL_LANES;
  const bool same_warp = o->block == me->block && o->thread / SL_LANES == me->thread / SL_LANES;
  return a->kind == SL_SEE_STORE && has_read &&
         ((o->pc == me->pc && sl__trip_at(a->w, a->pc, l) == sl__trip_then(a->w->grid, o)) ||
          (same_warp && a->mask >> lane & 1 && a->addr[lane] == a->addr[l]));
}

// Does one of the two wait for the other's store, with a plain load or store among them?
static bool plain_flag(const sl_access *a, const sl_touch *me, const sl_touch *o) {
  const sl_touch *read = a->kind == SL_SEE_LOAD ? me : o;
  const sl_gmodule *m = sl__touch_module(a, read);
  return (!me->strong || !o->strong) && m->patches[read->pc].kind == SL_SEE_LOAD &&
         (sl__sight(m, read->pc)->waits || sl__awaits(m, read->pc));
}

static sl_meeting meeting_of(const sl_access *a, uint32_t l, const sl_touch *me, const sl_touch *o,
                             const sl_cell *c) {
  bool block = o->block == me->block, writes = a->kind != SL_SEE_LOAD;
  if (me->strong && o->strong && sl__mixed_widths(a, o)) return SL_MEET_WIDTHS;
  if (plain_flag(a, me, o)) return SL_MEET_POLLED;
  if (sl__of_earlier(a, o)) return SL_MEET_LAUNCHES;
  if (sl__time_unfenced(&sl__seen_block(a->w->block)->time, me->thread, o->block, o->thread, o->stamp))
    return SL_MEET_UNFENCED;
  if (both_update(a, l, me, o, c)) return SL_MEET_UPDATE;
  if (writes && o == &c->w && !o->rmw && sl__same_value(a, l)) return SL_MEET_EQUAL;
  if (!block) return SL_MEET_GRID;
  return o->thread / SL_LANES == me->thread / SL_LANES ? SL_MEET_WARP : SL_MEET_BLOCK;
}

void sl__tell_race(const sl_access *a, uint32_t l, uint64_t addr, const sl_touch *me, const sl_touch *o,
                   const sl_cell *c, const char *verb, const char *other_verb) {
  uint32_t checks = sl__seen_grid(a->w->grid)->checks;
  const sl_post *p = sl__flag_between(a, o, addr);
  if (p && checks & SL_CHECK_ORDER_FENCE) {
    sl__tell_order(a, l, addr, o, verb, other_verb, p);
    return;
  }
  bool shared = a->space == SL_SP_SHARED, behind, known;
  if (!(checks & (shared ? SL_CHECK_RACE_SHARED : SL_CHECK_RACE_GLOBAL))) return;
  sl__tell(&(sl_story){.id = shared ? SL_FOUND_RACE_SHARED : SL_FOUND_RACE_GLOBAL,
                       .meeting = meeting_of(a, l, me, o, c),
                       .apart = !sl__of_earlier(a, o) && sl__trips_part(a->w, a->pc, l, o, &behind, &known),
                       .a = a,
                       .lane = l,
                       .addr = addr,
                       .verb = verb,
                       .other_verb = other_verb,
                       .other = o});
}
