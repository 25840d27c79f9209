// The interpreter: runs one split of a warp until it meets another, waits, ends or has used its time slice.
#include "engine/core.h"

static uint32_t guard_lanes(const sl_warp *w, const sl_xinsn *i) {
  uint32_t p = sl__pred(w, i->guard);
  return w->mask & (i->neg >> 31 ? ~p : p);
}

static void count_add(sl_warp *w, const sl_xinsn *i) {
  const uint32_t n = sl__n_lanes(i->guard == SL_NO_SLOT ? w->mask : guard_lanes(w, i));
  sl_phase *ph = sl__phase(w);
  if (i->cls == SL_CLS_FMA) w->grid->cnt->fmas += n;
  else if (i->cls == SL_CLS_ADD_FLOAT) ph->adds_float += n;
  else ph->adds_int += n;
}

// A run with a slice ends at the first jump, or after so many instructions.
static const sl_xinsn *slice_end(const sl_cwarp *c, const sl_xinsn *ip, const sl_xinsn *stop) {
  const sl_xinsn *end = c->w.grid->code + c->w.grid->m->n_code;
  if ((size_t)(end - ip) > c->slice) end = ip + c->slice;
  return stop && stop < end ? stop : end;
}

// The loop. After a taken branch it goes on if the warp is whole; else converge.c chooses a split again.
static inline __attribute__((always_inline)) sl_step run_split(sl_cwarp *c, bool counting) {
  sl_warp *w = &c->w;
  sl_grid *g = w->grid;
  const sl_xinsn *code = g->code, *ip = code + w->pc, *stop = c->n_splits > 1 ? sl__stop(c) : NULL;
  const uint32_t *costs = g->costs;
  bool whole = c->n_splits == 1;
  uint64_t n = 0, lanes = sl__n_lanes(w->mask);
  uint32_t from = w->pc, at;
  sl_step s;
  if (c->slice) stop = slice_end(c, ip, stop), whole = false;
  if (counting) c->base = c->time - costs[from];
  for (;;) {
    if (counting && __builtin_expect(ip->cls != 0, 0)) count_add(w, ip);
    s = ip->fn(w, ip);
    if (__builtin_expect(s == SL_STEP, 1)) {
      if (__builtin_expect(++ip != stop, 1)) continue;
      w->pc = at = (uint32_t)(ip - code);
      n += at - from;
      s = SL_STEP_SPLIT;
      if (counting) c->time = c->base + costs[at];
      break;
    }
    at = (uint32_t)(ip - code);
    n += at - from + 1;
    if (counting) c->time = c->base + costs[at] + SL_PATH_STEP;
    if (s != SL_STEP_JUMP || !whole) break;
    from = w->pc, ip = code + from;
    if (counting) c->base = c->time - costs[from];
  }
  g->instructions += n;
  g->threads_executed += n * lanes;
  c->executed += n;
  return s;
}

static sl_step run_counted(sl_cwarp *c) { return run_split(c, true); }
static sl_step run_uncounted(sl_cwarp *c) { return run_split(c, false); }

static void load_split(sl_cwarp *c) {
  sl_split *s = &c->splits[c->current];
  c->w.pc = s->pc;
  c->w.bank[SL_BANK_REG] = s->frame->regs;
  sl__set_mask(&c->w, s->mask);
}

sl_warp_run sl__run_warp(sl_cwarp *c, int64_t *budget) {
  sl_step (*run)(sl_cwarp *) = c->w.grid->costs ? run_counted : run_uncounted;
  c->budget = budget;
  while (sl__choose(c)) {
    load_split(c);
    sl_step s = run(c);
    if (s == SL_STEP_FAULT) return SL_RUN_FAULT;
    if (s != SL_STEP_EXIT) c->splits[c->current].pc = c->w.pc;
    if (s == SL_STEP_YIELD) return SL_RUN_QUANTUM;
    if (c->slice) return c->n_splits ? SL_RUN_SLICE : SL_RUN_DONE;
  }
  sl__park(c);
  return c->n_splits ? SL_RUN_BLOCKED : SL_RUN_DONE;
}

sl_step sl__guarded(sl_warp *w, const sl_xinsn *i) {
  uint32_t m = guard_lanes(w, i), all = w->mask;
  if (m == all) return i->body(w, i);
  if (!m) return SL_STEP;
  sl__set_mask(w, m);
  sl_step s = i->body(w, i);
  sl__set_mask(w, all);
  return s;
}

sl_step sl__guarded_split(sl_warp *w, const sl_xinsn *i) {
  uint32_t m = guard_lanes(w, i), all = w->mask;
  if (m == all) return i->body(w, i);
  if (!m) return SL_STEP;
  sl__fork(w, all & ~m, sl__pc(w, i) + 1);
  w->pc = sl__pc(w, i);
  sl__uncount(w, all);
  return SL_STEP_SPLIT;
}
