// barrier.divergent among the lanes of a warp: __syncthreads() is bar.sync, which is aligned: all lanes of a
// warp must execute the same one. The engine opens a barrier when all threads that have not ended are there,
// as hardware does; here is seen who came to it from where.
//
// Interface: sl__align_arrive, before lanes are counted as arrived; sl__align_open, before the barrier is
// reset. A warp that ended as a whole is nobody's fault, and the barriers that are not aligned (cooperative
// groups) may be reached lane by lane.
#include "observers/observers.h"

static void tell(sl_block *b, uint32_t warp, uint32_t missing, const char *where) {
  const sl_aligned *a = &b->seen->aligned[warp];
  uint32_t *told = sl__table_put(&b->grid->seen->reports, (uint32_t)(a->at - b->grid->code), 6);
  if (!told || (*told)++) return;
  sl__finding_note(
      &b->warps[warp].w, a->at, __builtin_ctz(a->mask), SL_FOUND_BARRIER_DIVERGENT,
      "some threads of a warp come to this __syncthreads(), but thread %u of the block, in the same "
      "warp, %s. On hardware the result is undefined: the block may hang, or go on too early. Let all "
      "threads reach the same barrier: put it outside of conditions that differ between threads, and do "
      "not return before it",
      32 * warp + (uint32_t)__builtin_ctz(missing), where);
}

void sl__align_arrive(sl_warp *w, const sl_xinsn *i) {
  sl_aligned *a = &w->block->seen->aligned[w->id];
  if (!(w->grid->seen->checks & SL_CHECK_BARRIER_MASK)) return;
  if (a->mask && a->at != i) tell(w->block, w->id, w->mask, "comes to another one");
  a->at = i;
  a->mask |= w->mask;
}

void sl__align_open(sl_block *b) {
  for (uint32_t k = 0; k < b->n_warps; k++) {
    sl_aligned *a = &b->seen->aligned[k];
    uint32_t missing = b->warps[k].all & ~a->mask;
    if (a->mask && missing) tell(b, k, missing, "has ended without it");
    a->mask = 0;
  }
}
