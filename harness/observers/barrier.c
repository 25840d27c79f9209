// barrier.divergent among the lanes of a warp. __syncthreads() is bar.sync, which is aligned: all lanes of a
// warp must execute the same one. The engine opens a barrier when all threads that have not ended are there,
// as hardware does; this observer sees where each lane reached it.  A warp that ended as a whole is no
// mistake. Barriers that are not aligned (cooperative groups) may be reached lane by lane.
#include "observers/observers.h"

typedef struct sl_aligned { // lanes of a warp that wait at barrier 0, and where they last reached it
  const sl_xinsn *at;
  uint32_t mask;
} sl_aligned;

static sl_aligned *aligned(const sl_block *b, uint32_t warp) {
  return (sl_aligned *)b->kept[SL_PROBE_barrier] + warp;
}

static void tell_divergent(sl_block *b, uint32_t warp, uint32_t missing, const char *where) {
  const sl_aligned *a = aligned(b, warp);
  uint32_t *told = sl__table_put(&sl__seen_grid(b->grid)->reports, (uint32_t)(a->at - b->grid->code), 6);
  if (!told || (*told)++) return;
  sl__finding_note(
      &b->warps[warp].w, a->at, __builtin_ctz(a->mask), SL_FOUND_BARRIER_DIVERGENT,
      "some threads of a warp reach this __syncthreads(), but thread %u of the block, in the same warp, %s",
      32 * warp + (uint32_t)__builtin_ctz(missing), where);
}

static void barrier_arrive(sl_warp *w, const sl_arrive *at) {
  sl_aligned *a = aligned(w->block, w->id);
  if (!at->aligned || at->id || at->expected) return;
  if (a->mask && a->at != at->i) tell_divergent(w->block, w->id, w->mask, "reaches another one");
  a->at = at->i;
  a->mask |= w->mask;
}

static void open_barrier(sl_block *b, uint8_t id, uint32_t expected) {
  if (id || expected) return;
  for (uint32_t k = 0; k < b->n_warps; k++) {
    sl_aligned *a = aligned(b, k);
    uint32_t missing = b->warps[k].all & ~a->mask;
    if (a->mask && missing) tell_divergent(b, k, missing, "has ended without it");
    a->mask = 0;
  }
}

static void block(sl_block *b) { memset(aligned(b, 0), 0, SL_LANES * sizeof(sl_aligned)); }

const sl_probe sl__probe_barrier = {.name = "barrier",
                                    .checks = SL_CHECK_BARRIER_MASK,
                                    .block_bytes = SL_LANES * sizeof(sl_aligned),
                                    .block = block,
                                    .arrive = barrier_arrive,
                                    .open = open_barrier};
