// barrier.divergent among the lanes of a warp, and among warps that meet at two barriers. __syncthreads() is
// bar.sync, which is aligned: all lanes of a warp must execute the same one. The engine opens a barrier when
// all threads that have not ended are there, as hardware does; this observer sees where each lane is when
// others reach it. Lanes that end do not count (measured on an H100), so a lane may return before a barrier.
// It may not go past it: be at another one, or at code that the waiting lanes will come to in any case.
// Barriers that are not aligned (cooperative groups) may be reached lane by lane.
#include "observers/observers.h"

typedef struct sl_aligned { // lanes of a warp that wait at barrier 0, and where they last reached it
  const sl_xinsn *at;
  uint32_t mask;
} sl_aligned;

static sl_aligned *aligned(const sl_block *b, uint32_t warp) {
  return (sl_aligned *)b->kept[SL_PROBE_barrier] + warp;
}

// Going past a barrier --------------------------------------------------------------------------------------

enum { AT_END = 1, AT_PLACE = 2, AT_TABLE = 4 }; // an end of the function, a place in it, a branch by table

typedef struct sl_walk { // a walk over the code of a function
  const sl_gmodule *m;
  uint32_t place; // it goes no further
  bool *seen;
  unsigned met, what; // it ends as soon as it has met [what]
} sl_walk;

typedef struct sl_leads { // where an instruction leads: to its target, to the next one; neither: the end
  bool jumps, falls, unknown;
} sl_leads;

static sl_leads step_of(const sl_gmodule *m, uint32_t pc) {
  const sl_xinsn *i = &m->code[pc];
  const sl_ptx_insn *in = i->unwritten ? NULL : sl__insn_of(m, i, NULL);
  const bool jumps = in ? sl_ptx_does(in, SL_DOES_BRANCH) : sl__is_added_jump(m->patches[pc].own);
  return (sl_leads){.jumps = jumps,
                    .falls = i->guard != SL_NO_SLOT || (!jumps && in && !sl_ptx_does(in, SL_DOES_END)),
                    .unknown = in && sl_ptx_does(in, SL_DOES_BRANCH_BY_TABLE)};
}

static void follow(sl_walk *x, uint32_t pc) {
  while (!(x->met & x->what) && pc != x->place && !x->seen[pc]) {
    const sl_leads s = step_of(x->m, pc);
    x->seen[pc] = true;
    if (s.unknown) x->met |= AT_TABLE;
    if (!s.jumps && !s.falls) {
      x->met |= AT_END;
      return;
    }
    if (s.jumps && s.falls) follow(x, x->m->code[pc].target);
    pc = s.falls ? pc + 1 : x->m->code[pc].target;
  }
  if (pc == x->place) x->met |= AT_PLACE;
}

// May who goes on from [pc] meet one of [what], up to [place]? Without memory: an end.
static bool may_meet(const sl_gmodule *m, uint32_t pc, uint32_t place, unsigned what) {
  sl_walk x = {.m = m, .place = place, .what = what, .seen = calloc(m->n_code, sizeof *x.seen)};
  if (x.seen) follow(&x, pc);
  else x.met = AT_END;
  free(x.seen);
  return x.met & what;
}

// Does everybody who goes on from [pc] come to [place], which is more than the way out?
static bool always_leads_to(const sl_gmodule *m, uint32_t pc, uint32_t place) {
  while (m->code[place].unwritten && sl__is_added_jump(m->patches[place].own)) place = m->code[place].target;
  const sl_ptx_insn *in = m->code[place].unwritten ? NULL : sl__insn_of(m, &m->code[place], NULL);
  if (!in || sl_ptx_does(in, SL_DOES_END)) return false;
  return !may_meet(m, pc, place, AT_END | AT_TABLE);
}

// Lanes of the warp that have gone past the barrier at which the current ones arrive. Lanes that come to the
// barrier run first, but some may still be in an earlier trip of a loop.
// [to]: where the first of them is.
static uint32_t gone_past(sl_warp *w, const sl_xinsn *at, uint32_t *to) {
  const sl_cwarp *c = sl__core(w);
  const sl_split *me = sl__split(w);
  uint32_t pc = sl__pc(w, at), past = 0;
  for (uint32_t k = 0; k < c->n_splits; k++) {
    const sl_split *s = &c->splits[k];
    if (s == me || s->state == SL_AT_BARRIER || s->frame != me->frame || s->pc <= pc) continue;
    if (sl__trip_is_behind(w, pc, (uint32_t)__builtin_ctz(w->mask), s->pc, (uint32_t)__builtin_ctz(s->mask)))
      continue;
    if (!always_leads_to(w->grid->m, pc + 1, s->pc)) continue;
    if (!past || __builtin_ctz(s->mask) < __builtin_ctz(past)) *to = s->pc;
    past |= s->mask;
  }
  return past;
}

// Telling it ------------------------------------------------------------------------------------------------

static const char STAY[] = "Let all threads make every trip of this loop: no break, no continue, and no "
                           "condition that ends it for some of them. "
                           "Put what only some do into an if, and the barrier outside of that";

// Does the barrier at [pc] stand in a loop that a lane at [other] has left?
static bool has_left_loop(const sl_gmodule *m, uint32_t pc, uint32_t other) {
  return may_meet(m, pc + 1, pc, AT_PLACE) && !may_meet(m, other, pc, AT_PLACE);
}

// [others]: lanes of the warp [other] that are elsewhere, at [pc].
static void tell_divergent(sl_block *b, uint32_t warp, uint32_t other, uint32_t others, uint32_t pc,
                           const char *where) {
  const sl_aligned *a = aligned(b, warp);
  const sl_grid *g = b->grid;
  const uint32_t at = (uint32_t)(a->at - g->code), lane = (uint32_t)__builtin_ctz(others);
  uint32_t *told = sl__table_put(&sl__seen_grid(g)->reports, at, 6);
  sl_finding f;
  if (!told || (*told)++) return;
  sl__finding_begin(&f, &b->warps[warp].w, a->at, __builtin_ctz(a->mask), SL_FOUND_BARRIER_DIVERGENT);
  const bool same = other == warp;
  snprintf(f.what, sizeof f.what, "some %s reach this __syncthreads(), but thread %u of the block%s %s",
           same ? "threads of a warp" : "warps", 32 * other + lane, same ? ", in the same warp," : "", where);
  if (has_left_loop(g->m, at, pc)) snprintf(f.advice, sizeof f.advice, "%s", STAY);
  sl__finding_other(&f, g,
                    &(sl_touch){.block = sl__seen_grid(g)->first + (uint32_t)b->linear,
                                .thread = (32 * other + lane) & 1023,
                                .pc = pc & ((1u << 22) - 1),
                                .stamp = ~0u >> 2});
  snprintf(f.me.role, sizeof f.me.role, "waits"), snprintf(f.other.role, sizeof f.other.role, "other");
  sl_gpu_add_finding(g->gpu, &f);
}

// Must all lanes of a warp execute it together?
static bool is_aligned(const sl_warp *w, const sl_xinsn *i) {
  const sl_ptx_insn *in = sl__insn_of(w->grid->m, i, NULL);
  return in->op == SL_OP_bar || sl_ptx_has_mod(in, SL_M_aligned);
}

static void barrier_arrive(sl_warp *w, const sl_arrive *at) {
  sl_aligned *a = aligned(w->block, w->id);
  if (at->id || at->expected || !is_aligned(w, at->i)) return;
  if (a->mask && a->at != at->i)
    tell_divergent(w->block, w->id, w->id, w->mask, sl__pc(w, at->i), "reaches another one");
  a->at = at->i;
  a->mask |= w->mask;
  uint32_t to = 0;
  const uint32_t past = gone_past(w, at->i, &to);
  if (past) tell_divergent(w->block, w->id, w->id, past, to, "goes past it");
}

// Do the two instructions stand at different places of the source? The compiler makes copies of one barrier,
// where it unrolls a loop or puts a function in line.
static bool are_two(const sl_gmodule *m, const sl_xinsn *x, const sl_xinsn *y) {
  const sl_ptx_insn *in[] = {sl__insn_of(m, x, NULL), sl__insn_of(m, y, NULL)};
  sl_src_pos at[2];
  for (int k = 0; k < 2; k++)
    if (!in[k] || !sl_ptx_position(m->ptx, in[k], &at[k])) return false;
  return at[0].line != at[1].line || at[0].col != at[1].col || strcmp(at[0].file, at[1].file) != 0;
}

// Warps that meet at two barriers of a branch: each opens the other's.
static void compare_warps(sl_block *b) {
  const sl_aligned *first = NULL;
  for (uint32_t k = 0; k < b->n_warps; k++) {
    const sl_aligned *a = aligned(b, k);
    if (!a->mask) continue;
    if (!first) first = a;
    if (a->at == first->at || !are_two(b->grid->m, a->at, first->at)) continue;
    const uint32_t pc = (uint32_t)(a->at - b->grid->code);
    char where[60];
    snprintf(where, sizeof where, "is at the one in line %u", sl__line_at(b->grid->m, pc));
    tell_divergent(b, (uint32_t)(first - aligned(b, 0)), k, a->mask, pc, where);
    return;
  }
}

static void open_barrier(sl_block *b, uint8_t id, uint32_t expected) {
  if (id || expected) return;
  compare_warps(b);
  for (uint32_t k = 0; k < b->n_warps; k++) aligned(b, k)->mask = 0;
}

static void block(sl_block *b) { memset(aligned(b, 0), 0, SL_LANES * sizeof(sl_aligned)); }

const sl_probe sl__probe_barrier = {.name = "barrier",
                                    .checks = SL_CHECK_BARRIER_MASK,
                                    .block_bytes = SL_LANES * sizeof(sl_aligned),
                                    .block = block,
                                    .arrive = barrier_arrive,
                                    .open = open_barrier};
