// Trips: how often each lane has gone round the loop that an access stands in, for findings ("loop trip 3").
//
// Interface: sl__trips_find, sl__trips_open, sl__trips_begin and sl__trips_end (for a block), sl__see_back,
// sl__trip_at and, for an access of the past, sl__trip_then; sl__trips_part. This file counts backward
// branches only, and keeps the last ones of each warp with their time. A lane that goes back in a loop has
// left the loops inside of it, so their counts start again. Loops of called functions are left out. So are
// loops that the compiler has unrolled, as their trips are not those of the source.
#include "observers/observers.h"

enum { MOST = 64, KEPT = 64 }; // loops of a kernel; branches back of a warp

static bool goes_back(const sl_gmodule *m, uint32_t pc) {
  const sl_xinsn *x = &m->code[pc];
  const sl_ptx_insn *in = sl__insn_of(m, x, NULL);
  bool jump = x->unwritten ? sl__is_added_jump(m->patches[pc].own) : in && sl_ptx_does(in, SL_DOES_BRANCH);
  return jump && x->target <= pc;
}

// Do observers look at this instruction? Branches back and loads of constants do not count.
static bool looked_at(const sl_gmodule *m, uint32_t pc) {
  return !((SL_SEES(NOTHING) | SL_SEES(BACK) | SL_SEES(CONSTANT)) >> m->patches[pc].kind & 1);
}

// Notes loop [number] as the innermost one of its instructions, and as the one that its branches back go
// round. Call it for outer loops first.
static void mark_loop(sl_gmodule *m, uint32_t number, const sl_loop_code *s) {
  bool any = false;
  for (uint32_t pc = s->head; pc <= s->tail; pc++) any |= looked_at(m, pc);
  for (uint32_t pc = s->head; pc <= s->tail && any; pc++) {
    if (m->patches[pc].kind == SL_SEE_BACK) continue; // it goes round an outer loop
    sl__sight(m, pc)->loop = number + 1;
    if (goes_back(m, pc) && m->code[pc].target == s->head) sl__see_branch(m, pc);
  }
}

void sl__trips_find(sl_gmodule *m) {
  sl_seen_module *s = sl__seen_module(m);
  uint32_t *tail = sl_must(calloc(m->n_code + 1, sizeof *tail)), n = 0;
  for (uint32_t pc = 0; pc < m->n_code; pc++)
    if (goes_back(m, pc)) n += !tail[m->code[pc].target], tail[m->code[pc].target] = pc + 1;
  s->spans = sl_must(calloc(n + 1, sizeof *s->spans));
  for (uint32_t pc = 0; pc < m->n_code; pc++)
    if (tail[pc]) s->spans[s->n_spans++] = (sl_loop_code){.head = pc, .tail = tail[pc] - 1};
  free(tail);
  for (uint32_t k = 0; k < s->n_spans; k++) {
    sl_loop_code *l = &s->spans[k];
    while (k + l->inside + 1 < s->n_spans && s->spans[k + l->inside + 1].head <= l->tail) l->inside++;
    mark_loop(m, k, l);
  }
}

void sl__trips_open(sl_grid *g) {
  const sl_seen_module *m = sl__seen_module(g->m);
  const sl_func *f = g->k->fn;
  sl_seen_grid *s = sl__seen_grid(g);
  while (s->first_loop < m->n_spans && m->spans[s->first_loop].head < f->first_pc) s->first_loop++;
  while (s->first_loop + s->n_loops < m->n_spans &&
         m->spans[s->first_loop + s->n_loops].head < f->first_pc + f->n_code)
    s->n_loops++;
  if (s->n_loops > MOST) s->n_loops = 0;
}

// The latest branches back that a block took.
typedef struct sl_turn {
  uint32_t stamp, loop, lanes;
} sl_turn;
struct sl_turns {
  uint32_t block, n[SL_LANES]; // by warp: so many so far, KEPT of them are here
  sl_turn at[][KEPT];
};

void sl__trips_begin(sl_seen_block *s, const sl_grid *g) {
  if (!sl__seen_grid(g)->n_loops) return;
  if (!s->turns) s->turns = sl_must(malloc(sizeof *s->turns + s->time.n_warps * sizeof *s->turns->at));
  s->turns->block = s->time.block;
  memset(s->turns->n, 0, sizeof s->turns->n);
}

// Keeps the turns of the last blocks that have ended, and uses again those of the block that falls out.
void sl__trips_end(sl_seen_block *s, sl_grid *g) {
  sl_turns **kept = &sl__seen_grid(g)->ended[sl__seen_grid(g)->n_ended++ % SL_ENDED], *old = *kept;
  *kept = s->turns, s->turns = old;
}

static uint32_t *counts(const sl_warp *w, uint32_t loop) {
  return sl__seen_block(w->block)->trips +
         ((size_t)w->id * sl__seen_grid(w->grid)->n_loops + loop) * SL_LANES;
}

static void count_trips(uint32_t *c, uint32_t lanes, uint32_t inside) {
  if (lanes == SL_FULL) {
    for (int l = 0; l < SL_LANES; l++) c[l]++;
    memset(c + SL_LANES, 0, inside * SL_LANES * sizeof *c);
  } else {
    for (; lanes; lanes &= lanes - 1) {
      uint32_t l = (uint32_t)__builtin_ctz(lanes);
      c[l]++;
      for (uint32_t k = 1; k <= inside; k++) c[k * SL_LANES + l] = 0;
    }
  }
}

void sl__see_back(sl_warp *w, const sl_xinsn *i) {
  const sl_seen_module *m = sl__seen_module(w->grid->m);
  const sl_seen_grid *g = sl__seen_grid(w->grid);
  const sl_sight *s = &m->sights[sl__pc(w, i)];
  uint32_t span = s->loop - 1, loop = span - g->first_loop, taken = sl__taken_lanes(w, i);
  if (loop < g->n_loops && taken) {
    sl_turns *t = sl__seen_block(w->block)->turns;
    t->at[w->id][t->n[w->id]++ % KEPT] = (sl_turn){sl__seen_block(w->block)->time.now, loop, taken};
    count_trips(counts(w, loop), taken, m->spans[span].inside);
  }
}

// Does the statement's code occur more than once? Each copy has one store or, without stores, one access.
static bool copied(const sl_grid *g, uint32_t pc) {
  const sl_func *f = g->k->fn;
  const sl_ptx_insn *in = sl__insn_of(g->m, &g->code[pc], NULL);
  sl_src_pos here, there;
  uint32_t stores = 0, all = 0;
  if (!in || !sl_ptx_position(g->m->ptx, in, &here)) return true;
  for (uint32_t k = f->first_pc; k < f->first_pc + f->n_code; k++) {
    const sl_ptx_insn *x = looked_at(g->m, k) ? sl__insn_of(g->m, &g->code[k], NULL) : NULL;
    if (!x || !sl_ptx_position(g->m->ptx, x, &there) || there.line != here.line || there.col != here.col)
      continue;
    all++, stores += g->m->patches[k].kind == SL_SEE_STORE;
  }
  return (stores ? stores : all) > 1;
}

uint32_t sl__trip_at(const sl_warp *w, uint32_t pc, uint32_t lane) {
  const sl_seen_grid *g = sl__seen_grid(w->grid);
  uint32_t loop = sl__sight(w->grid->m, pc)->loop - 1 - g->first_loop;
  if (!sl__sight(w->grid->m, pc)->loop || loop >= g->n_loops || copied(w->grid, pc)) return 0;
  return counts(w, loop)[lane] + 1;
}

bool sl__trip_is_behind(const sl_warp *w, uint32_t pc, uint32_t lane, uint32_t place, uint32_t other) {
  const sl_seen_grid *g = sl__seen_grid(w->grid);
  const sl_loop_code *span = sl__seen_module(w->grid->m)->spans + g->first_loop;
  if (!g->n_loops) return sl__sight(w->grid->m, pc)->loop;
  for (uint32_t k = 0; k < g->n_loops; k++) {
    if (pc < span[k].head || pc > span[k].tail || place < span[k].head || place > span[k].tail) continue;
    const uint32_t mine = counts(w, k)[lane], its = counts(w, k)[other];
    if (mine != its) return its < mine;
  }
  return false;
}

static const sl_turns *turns_of(const sl_grid *g, uint32_t block) {
  sl_turns *const *ended = sl__seen_grid(g)->ended;
  for (uint32_t k = 0; k < g->n_resident; k++) {
    const sl_seen_block *s = sl__seen_block(g->resident[k]);
    if (s->time.block == block) return s->turns;
  }
  for (uint32_t k = 0; k < SL_ENDED; k++)
    if (ended[k] && ended[k]->block == block) return ended[k];
  return NULL;
}

// The branches back in the launch's loop [loop] since its entry, up to the touch, last one first. 0: unknown.
static uint32_t round_then(const sl_grid *g, const sl_touch *o, uint32_t loop) {
  const sl_loop_code *spans = sl__seen_module(g->m)->spans + sl__seen_grid(g)->first_loop;
  const uint32_t warp = o->thread / SL_LANES, lane = o->thread % SL_LANES;
  const sl_turns *t = turns_of(g, o->block);
  uint32_t rounds = 1;
  if (!t) return 0;
  const uint32_t n = t->n[warp];
  for (uint32_t k = n; k-- > 0;) {
    const sl_turn *turn = &t->at[warp][k % KEPT];
    if (n - k > KEPT) return 0; // forgotten
    if (turn->stamp > o->stamp || !(turn->lanes >> lane & 1)) continue;
    if (turn->loop < loop && loop <= turn->loop + spans[turn->loop].inside)
      break; // a trip of an outer loop began
    rounds += turn->loop == loop;
  }
  return rounds;
}

uint32_t sl__trip_then(const sl_grid *g, const sl_touch *o) {
  const uint32_t loop = sl__sight(g->m, o->pc)->loop - 1 - sl__seen_grid(g)->first_loop;
  if (!sl__sight(g->m, o->pc)->loop || loop >= sl__seen_grid(g)->n_loops || copied(g, o->pc)) return 0;
  return round_then(g, o, loop);
}

const sl_loop_code *sl__trips_part(const sl_warp *w, uint32_t pc, uint32_t lane, const sl_touch *o,
                                   bool *behind, bool *known) {
  const sl_seen_grid *g = sl__seen_grid(w->grid);
  const sl_loop_code *spans = sl__seen_module(w->grid->m)->spans + g->first_loop;
  *known = true, *behind = false;
  for (uint32_t k = 0; k < g->n_loops; k++) {
    const sl_loop_code *s = &spans[k];
    if (pc < s->head || pc > s->tail || o->pc < s->head || o->pc > s->tail) continue;
    const uint32_t now = counts(w, k)[lane] + 1, then = round_then(w->grid, o, k);
    if (!(*known = then != 0)) return NULL;
    *behind = now < then;
    if (now != then) return s;
  }
  return NULL;
}
