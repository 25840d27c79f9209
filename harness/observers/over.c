// Is a read over when its block raises a flag without a fence? If what is stored in the flag is computed from
// the value that was read, yes: scans in place rely on it. If it is not, as in `head = k + 1` after a slot of
// a ring was read, the store may overtake the read.
//
// Interface: sl__read_is_over, which race.c calls; sl__others_fenced. Values are followed through registers.
// What is stored or exchanged on the way may come back from any load or exchange behind it; if the thread
// that has read raises the flag itself, only from those that it comes to before it reads there again.
#include "engine/depends.h"
#include "engine/flow.h"
#include "observers/observers.h"

typedef struct sl_way {
  const sl_ptx_insn *flag;
  sl_flow flow;
  uint32_t read;
  // What the same thread may run between this read and the flag; NULL: another thread raises the flag.
  bool *between;
  bool *behind;      // may run behind a store of the value
  bool stored, lost; // the value has gone into memory; into a call
} sl_way;

// Where control goes from instruction [k] by its way [j]; n_insns: to the end of the text.
static uint32_t way_on(const sl_flow *w, uint32_t k, uint32_t j) {
  const sl_bb *bb = &w->bb[w->bb_of[k]];
  if (k + 1 < bb->end) return k + 1;
  const uint32_t to = sl__flow_succ(w, w->bb_of[k], j);
  return to < w->n_bb ? w->bb[to].first : w->f->n_insns;
}

static uint32_t ways_on(const sl_flow *w, uint32_t k) {
  return k + 1 < w->bb[w->bb_of[k]].end ? 1 : sl__flow_count(w, w->bb_of[k]);
}

// Adds to [set] where control gets to from there (backwards: comes from), not by the read, the next one.
static void grow(const sl_way *way, bool *set, bool backwards) {
  const sl_flow *w = &way->flow;
  bool grew = true;
  while (grew) {
    grew = false;
    for (uint32_t k = 0; k < w->f->n_insns; k++)
      for (uint32_t j = 0; j < ways_on(w, k); j++) {
        const uint32_t next = way_on(w, k, j);
        if (next == w->f->n_insns || next == way->read) continue;
        const bool *from = backwards ? &set[next] : &set[k];
        bool *to = backwards ? &set[k] : &set[next];
        if (*from && !*to) grew = *to = true;
      }
  }
}

// What may run between the read and the flag, as bools by instruction.
static bool *ways_between(const sl_way *way, const sl_ptx_func *f) {
  SL_FREED bool *before = sl_must(calloc(f->n_insns, 1));
  bool *set = sl_must(calloc(f->n_insns, 1));
  set[way->read] = before[way->flag - f->insns] = true;
  grow(way, set, false), grow(way, before, true);
  for (uint32_t k = 0; k < f->n_insns; k++) set[k] &= before[k];
  return set;
}

static bool may_return(const sl_ptx_insn *in) {
  const sl_action action = sl_ptx_action(in);
  const bool loads = (action == SL_ACT_LOAD || action == SL_ACT_UPDATE) && sl__space_mod(in) != SL_SP_PARAM;
  return loads || sl_ptx_flow(in) == SL_FLOW_EXCHANGES;
}

static void store(sl_way *way, const sl_ptx_insn *in, uint32_t k) {
  way->stored = true;
  way->lost |= sl__space_mod(in) == SL_SP_PARAM;
  if (!way->behind || way->behind[k]) return;
  way->behind[k] = true;
  grow(way, way->behind, false);
}

static sl_spread follow(const sl_depends *d, const sl_ptx_insn *in, uint32_t k, bool touched) {
  sl_way *way = d->ctx;
  if (way->between && !way->between[k]) return SL_SPREAD_NO;
  if (touched && in == way->flag) return SL_SPREAD_FOUND;
  if (touched && (sl_ptx_action(in) == SL_ACT_STORE || sl_ptx_action(in) == SL_ACT_UPDATE)) store(way, in, k);
  if (touched && sl_ptx_flow(in) != SL_FLOW_DECIDES) return SL_SPREAD_ON;
  return way->stored && may_return(in) && (!way->behind || way->behind[k]) ? SL_SPREAD_ON : SL_SPREAD_NO;
}

// May what the instruction [flag] stores, or where, be computed from what [read] has loaded?
static bool depends_on(const sl_gmodule *m, uint32_t read, uint32_t flag, bool same_thread) {
  const sl_func *fn = NULL, *other = NULL;
  const sl_ptx_insn *load = sl__insn_of(m, &m->code[read], &fn);
  sl_way way = {.flag = sl__insn_of(m, &m->code[flag], &other), .read = (uint32_t)(load - fn->ir->insns)};
  sl_depends d = {.f = fn->ir, .n = fn->ir->n_insns, .rule = follow, .ctx = &way};
  if (!way.flag || fn != other) return true;
  if (same_thread && sl__flow_make(&way.flow, fn->ir, NULL)) {
    way.between = ways_between(&way, fn->ir);
    way.behind = sl_must(calloc(fn->ir->n_insns, 1));
  }
  sl__depends_begin(&d);
  sl__depends_mark_results(&d, load);
  bool found = sl__depends_search(&d);
  if (way.stored && !found) found = sl__depends_search(&d); // now with what comes back from memory
  free(d.reg), free(way.between), free(way.behind), sl__flow_free(&way.flow);
  return found || way.lost;
}

static bool remembered(const sl_gmodule *m, uint32_t read, uint32_t flag, bool same_thread) {
  uint8_t *known = sl__table_put(&sl__seen_module(m)->over, read, 2ull * flag + same_thread);
  if (!known) return true;
  if (!*known) *known = depends_on(m, read, flag, same_thread) ? 1 : 2;
  return *known == 1;
}

// A block that has ended is asked only whether there were such fences at all.
bool sl__others_fenced(const sl_grid *g, const sl_touch *o, const sl_post *p) {
  for (uint32_t b = 0; b < g->n_resident; b++) {
    const sl_block_time *t = &sl__seen_block(g->resident[b])->time;
    if (t->block == o->block)
      return sl__known_has(t->fenced[1], o->block, o->thread, o->stamp) ||
             sl__known_has(t->thread[p->thread].fenced[1], o->block, o->thread, o->stamp);
  }
  return !p->alone;
}

bool sl__read_is_over(const sl_access *a, const sl_touch *o, const sl_post *p) {
  const sl_gmodule *m = a->w->grid->m;
  if (sl__of_earlier(a, o) || sl__others_fenced(a->w->grid, o, p) || sl__sight(m, o->pc)->polled || o->rmw)
    return true;
  return sl__post_fenced(p, o, 1) || remembered(m, o->pc, p->pc, o->thread == p->thread);
}
