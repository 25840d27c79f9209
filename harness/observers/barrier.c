// barrier.divergent among the lanes of a warp. __syncthreads() is bar.sync, which is aligned: all lanes of a
// warp must execute the same one. The engine opens a barrier when all threads that have not ended are there,
// as hardware does; this observer sees where each lane is when others reach it. Lanes that end do not count
// (measured on an H100), so a lane may return before a barrier. It may not go past it: be at another one, or
// at code that the waiting lanes will come to in any case. Barriers that are not aligned (cooperative groups)
// may be reached lane by lane.
#include "observers/observers.h"

typedef struct sl_aligned { // lanes of a warp that wait at barrier 0, and where they last reached it
  const sl_xinsn *at;
  uint32_t mask;
} sl_aligned;

static sl_aligned *aligned(const sl_block *b, uint32_t warp) {
  return (sl_aligned *)b->kept[SL_PROBE_barrier] + warp;
}

// [others]: lanes that are elsewhere.
static void tell_divergent(sl_block *b, uint32_t warp, uint32_t others, const char *where) {
  const sl_aligned *a = aligned(b, warp);
  uint32_t *told = sl__table_put(&sl__seen_grid(b->grid)->reports, (uint32_t)(a->at - b->grid->code), 6);
  if (!told || (*told)++) return;
  sl__finding_note(
      &b->warps[warp].w, a->at, __builtin_ctz(a->mask), SL_FOUND_BARRIER_DIVERGENT,
      "some threads of a warp reach this __syncthreads(), but thread %u of the block, in the same warp, %s",
      32 * warp + (uint32_t)__builtin_ctz(others), where);
}

// Going past a barrier --------------------------------------------------------------------------------------

typedef struct sl_ways { // a walk over the code of a function
  const sl_gmodule *m;
  uint32_t around; // the instruction that is left out
  bool *seen;
  bool unknown; // there is a branch by table
} sl_ways;

static bool reaches_end(sl_ways *x, uint32_t pc) {
  while (pc != x->around && !x->seen[pc]) {
    const sl_xinsn *i = &x->m->code[pc];
    const sl_ptx_insn *in = i->unwritten ? NULL : sl__insn_of(x->m, i, NULL);
    bool jumps = in ? sl_ptx_does(in, SL_DOES_BRANCH) : sl__is_added_jump(x->m->patches[pc].own);
    bool falls = i->guard != SL_NO_SLOT || (!jumps && in && !sl_ptx_does(in, SL_DOES_END));
    x->seen[pc] = true;
    x->unknown |= in && sl_ptx_does(in, SL_DOES_BRANCH_BY_TABLE);
    if (!jumps && !falls) return true;
    if (jumps && falls && reaches_end(x, i->target)) return true;
    pc = falls ? pc + 1 : i->target;
  }
  return false;
}

// Does everybody who goes on from [pc] come to [place], which is more than the way out?
static bool always_leads_to(const sl_gmodule *m, uint32_t pc, uint32_t place) {
  while (m->code[place].unwritten && sl__is_added_jump(m->patches[place].own)) place = m->code[place].target;
  const sl_ptx_insn *in = m->code[place].unwritten ? NULL : sl__insn_of(m, &m->code[place], NULL);
  if (!in || sl_ptx_does(in, SL_DOES_END)) return false;
  sl_ways x = {.m = m, .around = place, .seen = calloc(m->n_code, sizeof *x.seen)};
  bool always = x.seen && !reaches_end(&x, pc) && !x.unknown;
  free(x.seen);
  return always;
}

// Lanes of the warp that have gone past the barrier at which the current ones arrive. Lanes that come to the
// barrier run first, but some may still be in an earlier trip of a loop.
static uint32_t gone_past(sl_warp *w, const sl_xinsn *at) {
  const sl_cwarp *c = sl__core(w);
  const sl_split *me = sl__split(w);
  uint32_t pc = sl__pc(w, at), past = 0;
  for (uint32_t k = 0; k < c->n_splits; k++) {
    const sl_split *s = &c->splits[k];
    if (s == me || s->state == SL_AT_BARRIER || s->frame != me->frame || s->pc <= pc) continue;
    if (sl__trip_is_behind(w, pc, (uint32_t)__builtin_ctz(w->mask), s->pc, (uint32_t)__builtin_ctz(s->mask)))
      continue;
    if (always_leads_to(w->grid->m, pc + 1, s->pc)) past |= s->mask;
  }
  return past;
}

static void barrier_arrive(sl_warp *w, const sl_arrive *at) {
  sl_aligned *a = aligned(w->block, w->id);
  if (!at->aligned || at->id || at->expected) return;
  if (a->mask && a->at != at->i) tell_divergent(w->block, w->id, w->mask, "reaches another one");
  a->at = at->i;
  a->mask |= w->mask;
  const uint32_t past = gone_past(w, at->i);
  if (past) tell_divergent(w->block, w->id, past, "goes past it");
}

static void open_barrier(sl_block *b, uint8_t id, uint32_t expected) {
  for (uint32_t k = 0; k < b->n_warps && !id && !expected; k++) aligned(b, k)->mask = 0;
}

static void block(sl_block *b) { memset(aligned(b, 0), 0, SL_LANES * sizeof(sl_aligned)); }

const sl_probe sl__probe_barrier = {.name = "barrier",
                                    .checks = SL_CHECK_BARRIER_MASK,
                                    .block_bytes = SL_LANES * sizeof(sl_aligned),
                                    .block = block,
                                    .arrive = barrier_arrive,
                                    .open = open_barrier};
