// What mends a race: a barrier, where one can stand between the two accesses (gap.c); or another index or
// guard, as two threads write one element that nobody reads in between.
//
// Interface: sl__mend_race, sl__scatters (observers.h).
#include "observers/gap.h"

static sl_spread find_block_index(const sl_depends *, const sl_ptx_insn *in, uint32_t, bool touched) {
  bool own = sl_ptx_flow(in) == SL_FLOW_EXCHANGES || sl_ptx_flow(in) == SL_FLOW_JOINS ||
             (sl_ptx_flow(in) == SL_FLOW_MEMORY && sl__space_mod(in) != SL_SP_PARAM);
  if (!touched) return SL_SPREAD_NO;
  for (uint32_t o = 0; o < in->n_ops; o++)
    own |= in->ops[o].kind == SL_O_SREG && in->ops[o].sreg > SL_SR_tid_z && in->ops[o].sreg != SL_SR_laneid;
  return own ? SL_SPREAD_FOUND : SL_SPREAD_ON;
}

static sl_spread find_load(const sl_depends *, const sl_ptx_insn *in, uint32_t, bool touched) {
  if (!touched) return SL_SPREAD_NO;
  const sl_space space = sl__space_mod(in);
  return sl_ptx_flow(in) == SL_FLOW_MEMORY && space != SL_SP_PARAM && space != SL_SP_LOCAL ? SL_SPREAD_FOUND
                                                                                           : SL_SPREAD_ON;
}

// Does the address of the store depend on what [rule] finds? [unknown]: the answer where that cannot be seen.
static bool address_depends(const sl_gmodule *m, uint32_t pc, bool unknown,
                            sl_spread (*rule)(const sl_depends *, const sl_ptx_insn *, uint32_t, bool)) {
  const sl_func *fn = NULL;
  const sl_ptx_insn *in = sl__insn_of(m, &m->code[pc], &fn);
  if (!in || in->ops[0].kind != SL_O_MEM || in->ops[0].base_kind != SL_O_REG) return unknown;
  sl_depends d = {.f = fn->ir, .n = fn->ir->n_insns, .backwards = true, .rule = rule};
  sl__depends_begin(&d);
  sl__depends_mark(&d, in->ops[0].reg);
  const bool found = sl__depends_search(&d);
  free(d.reg);
  return found;
}

static bool depends_on_block(const sl_gmodule *m, uint32_t pc) {
  return address_depends(m, pc, true, find_block_index);
}

bool sl__scatters(const sl_gmodule *m, uint32_t pc) { return address_depends(m, pc, false, find_load); }

static uint8_t kind_at(const sl_story *s, uint32_t pc) { return s->a->w->grid->m->patches[pc].kind; }

// Do both only write? An atomic reads, too.
static bool both_store(const sl_story *s) {
  return s->a->kind == SL_SEE_STORE && kind_at(s, s->other->pc) == SL_SEE_STORE;
}

static sl_mending mend_lines(const sl_story *s, sl_mend how, sl_among among) {
  const uint32_t mine = sl__line_at(s->a->w->grid->m, s->a->pc),
                 its = sl__line_at(s->a->w->grid->m, s->other->pc);
  const bool swap = how == SL_MEND_SPLIT ? s->a->kind != SL_SEE_LOAD : mine > its;
  return (sl_mending){.how = mine && its ? how : SL_MEND_NOTHING,
                      .among = among,
                      .from = swap ? its : mine,
                      .to = swap ? mine : its};
}

sl_mending sl__mend_race(const sl_story *s) {
  const sl_gmodule *m = s->a->w->grid->m;
  const bool warp = s->meeting == SL_MEET_WARP;
  const sl_among among = warp ? SL_AMONG_WARP : SL_AMONG_BLOCK;
  if (s->meeting == SL_MEET_GRID && both_store(s) && !sl__of_earlier(s->a, s->other))
    return mend_lines(s, SL_MEND_INDEX, depends_on_block(m, s->a->pc) ? SL_AMONG_GRID : SL_AMONG_COPIES);
  if (s->meeting == SL_MEET_EQUAL && both_store(s) &&
      s->other->block != sl__seen_block(s->a->w->block)->time.block && !depends_on_block(m, s->a->pc))
    return mend_lines(s, SL_MEND_INDEX, SL_AMONG_COPIES);
  if (!warp && s->meeting != SL_MEET_BLOCK) return (sl_mending){.among = SL_AMONG_GRID};
  const sl_gap gap = sl__gap_between(s, warp);
  const bool stores = both_store(s),
             cleared = stores && (sl__stores_fixed(s->a->i) || sl__stores_fixed(&m->code[s->other->pc]));
  if (stores && gap.how && (gap.how == SL_MEND_SPLIT || (!gap.reads && !cleared)))
    return mend_lines(s, SL_MEND_INDEX, among);
  if (gap.how == SL_MEND_SPLIT) return mend_lines(s, gap.how, among);
  return (sl_mending){
      .how = gap.to || gap.from ? gap.how : SL_MEND_NOTHING, .among = among, .from = gap.from, .to = gap.to};
}
