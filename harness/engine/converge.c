// Splits: which lanes of a warp are where. They part at branches, meet at equal places, and take turns.
//
// The split that is deepest in calls runs; of several the one with the lowest pc. Code is laid out so that a
// loop comes before what follows it, so lanes that have left a loop wait for the lanes that are still in it.
// A split that stays in a loop for too long is marked tired, and the others run first: so a lane that waits
// for another lane of its own warp lets it proceed.
#include "engine/core.h"

static bool can_meet(const sl_split *s) {
  return s->state == SL_READY || s->state == SL_AT_WARP_SYNC || s->state == SL_SPINNING;
}

static void remove_split(sl_cwarp *c, uint32_t k) {
  c->n_splits--;
  if (k != c->n_splits) c->splits[k] = c->splits[c->n_splits];
}

static void merge(sl_cwarp *c) {
  for (uint32_t a = 0; a < c->n_splits; a++)
    for (uint32_t b = c->n_splits; b-- > a + 1;) {
      sl_split *x = &c->splits[a], *y = &c->splits[b];
      if (x->pc != y->pc || x->frame != y->frame || !can_meet(x) || !can_meet(y)) continue;
      if (x->released != y->released) continue;
      if (x->state == SL_SPINNING && y->state == SL_SPINNING) x->version = 0;
      else x->state = SL_READY;
      x->mask |= y->mask;
      x->tired &= y->tired;
      remove_split(c, b);
    }
}

static bool runs(const sl_cwarp *c, const sl_split *s) {
  return s->state == SL_READY || (s->state == SL_SPINNING && s->version != c->w.grid->writes);
}

bool sl__runnable(const sl_cwarp *c) {
  for (uint32_t k = 0; k < c->n_splits; k++)
    if (runs(c, &c->splits[k])) return true;
  return false;
}

void sl__park(sl_cwarp *c) {
  for (uint32_t k = 0; k < c->n_splits; k++)
    if (c->splits[k].state == SL_SPINNING) return;
  c->w.block->parked |= 1u << c->w.id;
}

static uint64_t key(const sl_split *s) { return ((uint64_t)(~s->frame->depth) << 32) | s->pc; }

static int pick(const sl_cwarp *c, bool tired) {
  int best = -1;
  for (uint32_t k = 0; k < c->n_splits; k++) {
    const sl_split *s = &c->splits[k];
    if (!runs(c, s) || (s->tired && !tired)) continue;
    if (best < 0 || key(s) < key(&c->splits[best])) best = (int)k;
  }
  return best;
}

static void resume(sl_cwarp *c, uint32_t k) {
  sl_split *s = &c->splits[k];
  c->current = k;
  if (s->state == SL_SPINNING) {
    s->state = SL_READY;
    s->hash_writes = c->w.grid->writes;
    c->fuel = 1;
  }
}

bool sl__choose(sl_cwarp *c) {
  if (c->n_splits == 1) {
    if (!runs(c, &c->splits[0])) return false;
    resume(c, 0);
    return true;
  }
  merge(c);
  int k = pick(c, false);
  if (k < 0) {
    for (uint32_t s = 0; s < c->n_splits; s++) c->splits[s].tired = false;
    k = pick(c, true);
  }
  if (k < 0) return false;
  resume(c, (uint32_t)k);
  return true;
}

const sl_xinsn *sl__stop(const sl_cwarp *c) {
  const sl_split *me = &c->splits[c->current];
  uint32_t best = UINT32_MAX;
  for (uint32_t k = 0; k < c->n_splits; k++) {
    const sl_split *s = &c->splits[k];
    if (k != c->current && s->frame == me->frame && s->pc > me->pc && s->pc < best && can_meet(s))
      best = s->pc;
  }
  return best == UINT32_MAX ? NULL : c->w.grid->code + best;
}

void sl__fork(sl_warp *w, uint32_t lanes, uint32_t pc) {
  sl_cwarp *c = sl__core(w);
  sl_split *s = &c->splits[c->n_splits++], *me = &c->splits[c->current];
  *s = (sl_split){.pc = pc, .mask = lanes, .frame = me->frame};
  sl__set_mask(w, w->mask & ~lanes);
  me->mask = w->mask;
}

// Lets lanes that wait at warp barriers (at different places, too) go on when all members are there or gone.
static void check_warp_sync(sl_cwarp *c) {
  for (uint32_t a = 0; a < c->n_splits; a++) {
    sl_split *s = &c->splits[a];
    if (s->state != SL_AT_WARP_SYNC) continue;
    if (!s->barrier) { // a shuffle or vote; its other members have ended meanwhile
      if (!(s->need & c->w.live & ~s->mask)) s->state = SL_READY;
      continue;
    }
    uint32_t there = 0;
    for (uint32_t b = 0; b < c->n_splits; b++)
      if (c->splits[b].state == SL_AT_WARP_SYNC && c->splits[b].barrier && c->splits[b].need == s->need)
        there |= c->splits[b].mask;
    if (s->need & c->w.live & ~there) continue;
    uint32_t need = s->need;
    if (c->w.grid->heard) sl__probes_warp_sync(&c->w, there);
    for (uint32_t b = 0; b < c->n_splits; b++) {
      sl_split *o = &c->splits[b];
      if (o->state == SL_AT_WARP_SYNC && o->barrier && o->need == need)
        o->state = SL_READY, o->pc++, o->barrier = 0;
    }
  }
}

void sl__retire(sl_warp *w, uint32_t lanes) {
  sl_cwarp *c = sl__core(w);
  sl_split *me = &c->splits[c->current];
  for (sl_frame *f = me->frame, *up; f; f = up) up = f->parent, sl__frame_leave(c, f, lanes);
  w->live &= ~lanes;
  me->mask &= ~lanes;
  w->mask = me->mask;
  if (me->mask) sl__set_mask(w, me->mask);
  else remove_split(c, c->current);
  w->block->live_threads -= sl__ones(lanes);
  w->grid->writes++;
  check_warp_sync(c);
  sl__barrier_exit(w->block);
}

sl_step sl__converge(sl_warp *w, const sl_xinsn *i, uint32_t member) {
  if (!(member & w->live & ~w->mask)) return SL_STEP;
  sl_split *s = sl__split(w);
  w->pc = sl__pc(w, i);
  s->state = SL_AT_WARP_SYNC;
  s->need = member;
  s->barrier = 0;
  sl__uncount(w, w->mask);
  return SL_STEP_WAIT;
}

sl_step sl__warp_barrier(sl_warp *w, const sl_xinsn *i, uint32_t member) {
  if (!(member & w->live & ~w->mask)) return SL_STEP;
  sl_split *s = sl__split(w);
  w->pc = s->pc = sl__pc(w, i);
  s->state = SL_AT_WARP_SYNC;
  s->need = member;
  s->barrier = 1;
  check_warp_sync(sl__core(w));
  w->pc = s->pc;
  return s->state == SL_READY ? SL_STEP_SPLIT : SL_STEP_WAIT;
}
