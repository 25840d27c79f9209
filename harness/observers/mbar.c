// mbarriers as order: what a thread did before it arrived happened before what another does after it saw the
// phase end. Interface: sl__see_mbarrier and sl__see_bulk, the handlers that hooks.c puts in front of such
// instructions.
//
// Arrivals collect what their threads know in a flag at the address of the object; when a phase ends that
// becomes known to everybody who sees it ended (a second flag, in the object's upper half). So an arrival in
// the next phase orders nothing yet. Arrivals and waits with .relaxed order nothing.
#include "observers/observers.h"

static sl_flag *flag(const sl_warp *w, uint64_t addr, bool make) {
  const sl_table *t = &w->grid->seen->flags;
  uint64_t who = w->block->seen->time.block + 1ull;
  return make ? sl__table_put((sl_table *)t, addr, who) : sl__table_find(t, addr, who);
}

// copies: it is what asynchronous copies report.
static void publish(sl_warp *w, const sl_access *a, bool copies) {
  sl_block_time *t = &w->block->seen->time;
  for (uint32_t m = a->mask; m; m &= m - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(m), thread = sl__thread_of(w, l);
    sl__time_fence(t, thread, true);
    sl_flag *f = flag(w, a->addr[l], true);
    if (f) sl__time_publish(t, thread, f, true);
    if (f && copies) sl__async_publish(w, a->addr[l], f);
  }
}

// What was collected is known from now on.
static void end_phase(sl_warp *w, const sl_access *a) {
  for (uint32_t m = a->mask; m; m &= m - 1) {
    uint64_t addr = a->addr[__builtin_ctz(m)];
    sl_flag *known = flag(w, addr + 4, true), *f = flag(w, addr, false);
    for (int s = 0; f && known && s < 2; s++) {
      sl__known_join(&known->rel[s], f->rel[s]);
      sl__known_drop(f->rel[s]);
      f->rel[s] = NULL;
    }
    if (known) known->block = w->block->seen->time.block;
  }
}

static void observe(sl_warp *w, const sl_access *a, uint32_t over) {
  sl_block_time *t = &w->block->seen->time;
  for (uint32_t m = a->mask & over; m; m &= m - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(m), thread = sl__thread_of(w, l);
    const sl_flag *f = flag(w, a->addr[l] + 4, false);
    if (!f) continue;
    sl__time_observe(t, thread, f, false);
    sl__time_fence(t, thread, true);
  }
}

sl_step sl__see_mbarrier(sl_warp *w, const sl_xinsn *i) {
  const sl_sight *s = &w->grid->m->sights[i - w->grid->code];
  bool wait = s->flags & SL_IS_ACQUIRE;
  sl_access a;
  sl__see_memory(&a, w, i, (uint32_t)(i - w->grid->code), SL_SEE_MBARRIER, 0);
  uint64_t phases = w->block->mbar_phases;
  bool copies = sl_ptx_action(sl__insn_of(w->grid->m, i, NULL)) == SL_ACT_REPORT;
  if (copies) sl__async_attach(&a);
  if (copies || s->flags & SL_IS_RELEASE) publish(w, &a, copies);
  sl_step st = s->fn(w, i);
  if (st != SL_STEP) return st;
  if (w->block->mbar_phases != phases) end_phase(w, &a);
  if (wait) observe(w, &a, sl__pred(w, i->d));
  return st;
}

static void see_pieces(sl_warp *w, const sl_bulk *b, uint32_t pc, uint32_t bytes, uint32_t object) {
  sl_xinsn from = b->copy.from, to = b->copy.to;
  sl_access a;
  for (uint32_t at = 0; at < bytes; at += SL_BULK_PIECE) {
    from.imm = b->copy.from.imm + at, to.imm = b->copy.to.imm + at;
    bool groups = !b->has_object && w->grid->seen->checks & SL_CHECK_RACE_ASYNC;
    sl__see_memory(&a, w, &from, pc, SL_SEE_LOAD, 0);
    if (groups) sl__async_begin(&a, 0);
    sl__see_memory(&a, w, &to, pc, b->combine ? SL_SEE_RMW : SL_SEE_COPY, 0);
    if (object && w->grid->seen->checks & SL_CHECK_RACE_ASYNC) sl__async_begin(&a, object);
  }
}

// The mbarrier that learns of the copy: offset + 1; 0: none.
static uint32_t object_of(const sl_warp *w, const sl_bulk *b, int l) {
  if (!b->has_object) return 0;
  const sl_memop *op = b->object.ext;
  uint64_t reg = op->addr32 ? sl__u32(w, b->object.s[0])[l] : sl__u64(w, b->object.s[0])[l];
  return (uint32_t)(reg + (uint64_t)b->object.imm - (op->addr32 ? 0 : SL_SHARED_BASE)) + 1;
}

// A bulk copy: done by its thread; the phase that its bytes complete publishes it.
sl_step sl__see_bulk(sl_warp *w, const sl_xinsn *i) {
  const sl_bulk *b = i->ext;
  uint32_t pc = (uint32_t)(i - w->grid->code), all = w->mask;
  sl_access a = {0};
  for (uint32_t m = all; m; m &= m - 1) {
    sl__set_mask(w, m & -m);
    int l = __builtin_ctz(m);
    see_pieces(w, b, pc, sl__u32(w, b->copy.size)[l], object_of(w, b, l));
  }
  sl__set_mask(w, all);
  if (b->has_object) {
    sl__see_memory(&a, w, &b->object, pc, SL_SEE_MBARRIER, 0);
    publish(w, &a, true);
  }
  uint64_t phases = w->block->mbar_phases;
  sl_step st = w->grid->m->sights[pc].fn(w, i);
  if (st == SL_STEP && w->block->mbar_phases != phases) end_phase(w, &a);
  return st;
}
