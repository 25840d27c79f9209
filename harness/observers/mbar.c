// The order that mbarriers make: accesses of a thread before it arrives happen before accesses of another
// thread after it has seen the phase end.  Arrivals collect the knowledge of their threads in a flag at the
// address of the object. When a phase ends, every thread that sees its end gets that knowledge (through a
// second flag, in the object's upper half). So an arrival in the next phase orders nothing yet. Arrivals and
// waits with .relaxed order nothing.
#include "observers/observers.h"

static sl_flag *flag(const sl_warp *w, uint64_t addr, bool make) {
  const sl_table *t = &sl__seen_grid(w->grid)->flags;
  uint64_t who = sl__seen_block(w->block)->time.block + 1ull;
  return make ? sl__table_put((sl_table *)t, addr, who) : sl__table_find(t, addr, who);
}

// [copies]: publishes asynchronous copies, too.
static void publish(sl_warp *w, const sl_access *a, bool copies) {
  sl_block_time *t = &sl__seen_block(w->block)->time;
  SL_FOR_LANES(l, a->mask) {
    uint32_t thread = sl__thread_of(w, l);
    sl__time_release(t, thread, true);
    sl_flag *f = flag(w, a->addr[l], true);
    if (f) sl__time_publish(t, thread, f, true);
    if (f && copies) sl__async_publish(w, a->addr[l], f);
  }
  t->now++; // what comes next is not before it
}

// Ends the phase: its collected knowledge can be read from now on.
static void end_phase(sl_warp *w, const sl_access *a) {
  SL_FOR_LANES(l, a->mask) {
    uint64_t addr = a->addr[l];
    sl_flag *known = flag(w, addr + 4, true), *f = flag(w, addr, false);
    for (int s = 0; f && known && s < 2; s++) {
      sl__known_join(&known->rel[s], f->rel[s]);
      sl__known_drop(f->rel[s]);
      f->rel[s] = NULL;
    }
    if (known) known->block = sl__seen_block(w->block)->time.block;
  }
}

static void observe(sl_warp *w, const sl_access *a, uint32_t over) {
  sl_block_time *t = &sl__seen_block(w->block)->time;
  SL_FOR_LANES(l, a->mask & over) {
    uint32_t thread = sl__thread_of(w, l);
    const sl_flag *f = flag(w, a->addr[l] + 4, false);
    if (!f) continue;
    sl__time_observe(t, thread, f, false);
    sl__time_acquire(t, thread, true);
  }
}

static bool is_of_copies(const sl_warp *w, const sl_xinsn *i, const sl_patch *p) {
  return p->kind == SL_SEE_BULK || sl_ptx_action(sl__insn_of(w->grid->m, i, NULL)) == SL_ACT_REPORT;
}

// A bulk copy is done by its thread; the phase that its bytes complete publishes it.
void sl__mbarrier_before(sl_warp *w, const sl_xinsn *i, const sl_patch *p, const sl_access *a) {
  bool copies = is_of_copies(w, i, p);
  sl__seen_grid(w->grid)->phases = w->block->mbar_phases;
  if (copies && p->kind == SL_SEE_MBARRIER) sl__async_attach(a);
  if (copies || p->flags & SL_IS_RELEASE) publish(w, a, copies);
}

void sl__mbarrier_after(sl_warp *w, const sl_xinsn *i, const sl_patch *p, const sl_access *a) {
  bool waits = p->kind == SL_SEE_MBARRIER && p->flags & SL_IS_ACQUIRE;
  if (w->block->mbar_phases != sl__seen_grid(w->grid)->phases) end_phase(w, a);
  if (waits) observe(w, a, sl__pred(w, i->d));
}
