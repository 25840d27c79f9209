// Is a read over when its block raises a flag without a fence? If what is stored in the flag is computed from
// the value that was read, yes: scans in place rely on it. If it is not, as in `head = k + 1` after a slot of
// a ring was read, the store may overtake the read.
//
// Interface: sl__read_is_over, which race.c calls; sl__others_fenced. Values are followed through registers.
// What is stored or exchanged on the way may come back from any load or exchange behind it.
#include "engine/depends.h"
#include "observers/observers.h"

typedef struct sl_way {
  const sl_ptx_insn *flag;
  bool stored, lost; // the value has gone into memory; into a call
} sl_way;

static bool may_return(const sl_ptx_insn *in) {
  const sl_action action = sl_ptx_action(in);
  const bool loads = (action == SL_ACT_LOAD || action == SL_ACT_UPDATE) && sl__space_mod(in) != SL_SP_PARAM;
  return loads || sl_ptx_flow(in) == SL_FLOW_EXCHANGES;
}

static sl_spread follow(const sl_depends *d, const sl_ptx_insn *in, uint32_t k, bool touched) {
  sl_way *way = d->ctx;
  (void)k;
  if (touched && in == way->flag) return SL_SPREAD_FOUND;
  if (touched && (sl_ptx_action(in) == SL_ACT_STORE || sl_ptx_action(in) == SL_ACT_UPDATE)) {
    way->stored = true;
    way->lost |= sl__space_mod(in) == SL_SP_PARAM;
  }
  if (touched && sl_ptx_flow(in) != SL_FLOW_DECIDES) return SL_SPREAD_ON;
  return way->stored && may_return(in) ? SL_SPREAD_ON : SL_SPREAD_NO;
}

// May what the instruction [flag] stores, or where, be computed from what [read] has loaded?
static bool depends_on(const sl_gmodule *m, uint32_t read, uint32_t flag) {
  const sl_func *fn = NULL, *other = NULL;
  const sl_ptx_insn *load = sl__insn_of(m, &m->code[read], &fn);
  sl_way way = {.flag = sl__insn_of(m, &m->code[flag], &other)};
  sl_depends d = {.f = fn->ir, .n = fn->ir->n_insns, .rule = follow, .ctx = &way};
  if (!way.flag || fn != other) return true;
  sl__depends_begin(&d);
  sl__depends_mark_results(&d, load);
  bool found = sl__depends_search(&d);
  if (way.stored && !found) found = sl__depends_search(&d); // now with what comes back from memory
  free(d.reg);
  return found || way.lost;
}

static bool remembered(const sl_gmodule *m, uint32_t read, uint32_t flag) {
  uint8_t *known = sl__table_put(&sl__seen_module(m)->over, read, flag);
  if (!known) return true;
  if (!*known) *known = depends_on(m, read, flag) ? 1 : 2;
  return *known == 1;
}

// A block that has ended is not asked any more.
bool sl__others_fenced(const sl_grid *g, const sl_touch *o, const sl_post *p) {
  for (uint32_t b = 0; b < g->n_resident; b++) {
    const sl_block_time *t = &sl__seen_block(g->resident[b])->time;
    if (t->block == o->block)
      return sl__known_has(t->fenced[1], o->block, o->thread, o->stamp) ||
             sl__known_has(t->thread[p->thread].fenced[1], o->block, o->thread, o->stamp);
  }
  return true;
}

bool sl__read_is_over(const sl_access *a, const sl_touch *o, const sl_post *p) {
  const sl_gmodule *m = a->w->grid->m;
  if (sl__of_earlier(a, o) || sl__others_fenced(a->w->grid, o, p) || sl__sight(m, o->pc)->polled || o->rmw)
    return true;
  return sl__post_fenced(p, o, 1) || remembered(m, o->pc, p->pc);
}
