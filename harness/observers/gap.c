// The gap between two accesses of a block that nothing orders: between which lines is a barrier missing?
//
// Interface: sl__gap_between (gap.h). Which access comes first is decided by the trips of the loops around
// both and by the flow of control, since warps run ahead of each other and the compiler copies the bodies of
// loops. A barrier may stand where all ways from the first access to the second one pass, and all threads
// (uniform.c). If there is no such place, the two are in one branch: then the index is wrong, or the
// statement has to be split.
#include "observers/gap.h"

enum { MOST_BLOCKS = 2048, NOWHERE = UINT32_MAX };

// Part of a basic block. It begins at or behind one of the two accesses, or at a barrier, a part of its own.
typedef struct sl_gap_part {
  uint32_t first, end, bb;
  bool barrier;
} sl_gap_part;

typedef struct sl_gap_code {
  const sl_gmodule *m;
  const sl_ptx_func *f;
  sl_flow flow;
  sl_gap_part *part;
  uint32_t n, *part_of; // part_of: by instruction
  bool *uniform;        // by basic block
  bool *closed;         // by part: no way goes through it
  sl_space space;       // where the accesses go
} sl_gap_code;

// The ways from one part to another: the parts on it, and where a barrier may stand first and last.
typedef struct sl_gap_ways {
  bool *on;
  bool found, reads; // reads: somebody reads such memory on the way
  uint32_t first_cut, last_cut, target;
} sl_gap_ways;

static bool orders(const sl_ptx_insn *in, bool warp) {
  const sl_action what = sl_ptx_action(in);
  return what == SL_ACT_BARRIER || (warp && what == SL_ACT_WARP_BARRIER);
}

// Cuts the function into parts.
static void cut_parts(sl_gap_code *g, uint32_t x, uint32_t y, bool warp) {
  for (uint32_t b = 0; b < g->flow.n_bb; b++)
    for (uint32_t k = g->flow.bb[b].first; k < g->flow.bb[b].end; k++) {
      const bool barrier = orders(&g->f->insns[k], warp), begins = k == g->flow.bb[b].first,
                 access = k == x || k == y || k == x + 1 || k == y + 1;
      if (begins || barrier || access || g->part[g->n - 1].barrier)
        g->part[g->n++] = (sl_gap_part){.first = k, .bb = b, .barrier = barrier};
      g->part[g->n - 1].end = k + 1;
      g->part_of[k] = g->n - 1;
    }
}

static uint32_t count_next(const sl_gap_code *g, uint32_t p) {
  const sl_bb *bb = &g->flow.bb[g->part[p].bb];
  return g->part[p].end < bb->end ? 1 : sl__flow_count(&g->flow, g->part[p].bb);
}

static uint32_t next_part(const sl_gap_code *g, uint32_t p, uint32_t k) {
  const sl_bb *bb = &g->flow.bb[g->part[p].bb];
  if (g->part[p].end < bb->end) return p + 1;
  const uint32_t to = sl__flow_succ(&g->flow, g->part[p].bb, k);
  return to == g->flow.n_bb ? NOWHERE : g->part_of[g->flow.bb[to].first];
}

// Marks what is reached from part [from] before [target], with part [without] closed; returns how many parts.
static uint32_t reach(const sl_gap_code *g, uint32_t from, uint32_t target, uint32_t without, bool *seen) {
  SL_FREED uint32_t *todo = sl_must(malloc((g->n + 1) * sizeof *todo));
  uint32_t n = 0, count = 0;
  memset(seen, 0, g->n * sizeof *seen);
  for (todo[n++] = from; n;) {
    const uint32_t p = todo[--n];
    for (uint32_t k = 0; k < count_next(g, p); k++) {
      const uint32_t to = next_part(g, p, k);
      if (to == NOWHERE || to == without || seen[to] || (to != target && g->closed[to])) continue;
      seen[to] = true, count++;
      if (to != target) todo[n++] = to;
    }
  }
  return count;
}

// Keeps of the parts that are reached those from which the target is.
static void keep_leading(const sl_gap_code *g, sl_gap_ways *s, const bool *reached) {
  s->on[s->target] = true;
  for (bool grew = true; grew;) {
    grew = false;
    for (uint32_t p = g->n; p-- > 0;)
      for (uint32_t k = 0; reached[p] && !s->on[p] && k < count_next(g, p); k++) {
        const uint32_t to = next_part(g, p, k);
        if (to != NOWHERE && s->on[to]) s->on[p] = grew = true;
      }
  }
}

static bool is_read(const sl_gap_code *g, const sl_ptx_insn *in) {
  const sl_space space = sl__space_mod(in);
  return sl_ptx_does(in, SL_DOES_READ) && (space == g->space || space == SL_SP_NONE);
}

static bool reads_in(const sl_gap_code *g, uint32_t p) {
  for (uint32_t k = g->part[p].first; k < g->part[p].end; k++)
    if (is_read(g, &g->f->insns[k])) return true;
  return false;
}

// The places that all ways pass, and all threads.
static void find_cuts(const sl_gap_code *g, sl_gap_ways *s, uint32_t from) {
  SL_FREED bool *seen = sl_must(malloc((g->n + 1) * sizeof *seen));
  uint32_t least = UINT32_MAX, most = 0;
  for (uint32_t p = 0; p < g->n; p++) {
    if (!s->on[p] || !g->uniform[g->part[p].bb]) continue;
    const uint32_t before = p == from ? 0 : reach(g, from, s->target, p, seen);
    if (p != s->target && p != from && seen[s->target]) continue;
    if (before < least) least = before, s->first_cut = p;
    if (before >= most) most = before, s->last_cut = p;
  }
}

// [from_too]: a barrier may stand at the end of part [from].
static sl_gap_ways ways_to(const sl_gap_code *g, uint32_t from, uint32_t target, bool from_too) {
  sl_gap_ways s = {sl_must(calloc(g->n + 1, sizeof(bool))), false, false, NOWHERE, NOWHERE, target};
  SL_FREED bool *reached = sl_must(malloc((g->n + 1) * sizeof *reached));
  reach(g, from, target, NOWHERE, reached);
  if (!(s.found = reached[target])) return s;
  keep_leading(g, &s, reached);
  s.on[from] = from_too;
  for (uint32_t p = 0; p < g->n; p++) s.reads |= s.on[p] && p != target && reads_in(g, p);
  find_cuts(g, &s, from);
  return s;
}

// Lines -----------------------------------------------------------------------------------------------------

// The line of an instruction of the same function of the source as [like]; 0: it has none.
static uint32_t line_of(const sl_gap_code *g, uint32_t k, uint32_t like) {
  const sl_ptx_insn *in = &g->f->insns[k], *other = &g->f->insns[like];
  sl_src_pos pos;
  if (!in->loc || !other->loc) return 0;
  const sl_ptx_loc *x = &g->m->ptx->locs[in->loc - 1], *y = &g->m->ptx->locs[other->loc - 1];
  return x->inlined == y->inlined && sl_ptx_position(g->m->ptx, in, &pos) ? pos.line : 0;
}

// The last line of the branch in which [access] stands: a barrier may follow.
static uint32_t last_line(const sl_gap_code *g, const sl_gap_ways *s, uint32_t access) {
  SL_FREED bool *before = sl_must(malloc((g->n + 1) * sizeof *before));
  uint32_t last = line_of(g, access, access);
  reach(g, g->part_of[access], s->target, s->first_cut, before);
  for (uint32_t p = 0; p < g->n; p++)
    for (uint32_t k = g->part[p].first; before[p] && s->on[p] && p != s->target && k < g->part[p].end; k++) {
      const uint32_t line = line_of(g, k, access);
      if (line > last) last = line;
    }
  return last;
}

// The line of the branch that leads to [access], or its own: a barrier may stand before it.
static uint32_t first_line(const sl_gap_code *g, const sl_gap_ways *s, uint32_t access) {
  const uint32_t own = line_of(g, access, access);
  if (s->last_cut == s->target || s->last_cut == NOWHERE) return own;
  const uint32_t line = line_of(g, g->part[s->last_cut].end - 1, access);
  return line && line < own ? line : own;
}

// Arms of a branch ------------------------------------------------------------------------------------------

// Does the block of the store set the register that the load fills? Then the source has the load behind the
// branch of the store, `if (t == 0) s = x; y = s;`: the compiler gives the thread that stores its own value,
// and lets the others alone load.
static bool stands_in(const sl_gap_code *g, uint32_t store, uint32_t load) {
  const sl_bb *bb = &g->flow.bb[g->part[g->part_of[store]].bb];
  for (uint32_t k = bb->first; k < bb->end; k++)
    if (k != load && sl_ptx_writes_first(&g->f->insns[k]) && g->f->insns[k].ops[0].kind == SL_O_REG &&
        g->f->insns[k].ops[0].reg == g->f->insns[load].ops[0].reg)
      return true;
  return false;
}

// All threads pass the block behind that of the load.
static bool all_meet(const sl_gap_code *g, uint32_t load) {
  const uint32_t bb = g->part[g->part_of[load]].bb;
  const uint32_t after = sl__flow_count(&g->flow, bb) ? sl__flow_succ(&g->flow, bb, 0) : g->flow.n_bb;
  return after < g->flow.n_bb && g->uniform[after];
}

// A store and a load of which none leads to the other: a barrier stands between their lines.
static sl_gap gap_of_arms(const sl_gap_code *g, uint32_t store, uint32_t load) {
  const sl_ptx_insn *x = &g->f->insns[store], *y = &g->f->insns[load];
  if (sl_ptx_action(x) != SL_ACT_STORE || !is_read(g, y) || !sl_ptx_writes_first(y) ||
      y->ops[0].kind != SL_O_REG || !all_meet(g, load) || !stands_in(g, store, load))
    return (sl_gap){0};
  const uint32_t from = line_of(g, store, store), to = line_of(g, load, load);
  return (sl_gap){.how = from && from < to ? SL_MEND_BARRIER : SL_MEND_NOTHING, .from = from, .to = to};
}

// Loops -----------------------------------------------------------------------------------------------------

static bool same_statement(const sl_gap_code *g, uint32_t x, uint32_t y) {
  sl_src_pos a, b;
  return line_of(g, x, y) && sl_ptx_position(g->m->ptx, &g->f->insns[x], &a) &&
         sl_ptx_position(g->m->ptx, &g->f->insns[y], &b) && a.line == b.line && a.col == b.col;
}

// Did the compiler make a copy of the loop's body, which has the second access? A statement loads before it
// stores: in a copy it has stored when it loads, or it stores and loads anew on the way to its store.
static bool is_copied(const sl_gap_code *g, const sl_gap_ways *s, uint32_t first, uint32_t second) {
  const bool stored = sl_ptx_action(&g->f->insns[first]) == SL_ACT_STORE;
  bool stores = stored, loads = false;
  if (!same_statement(g, first, second) || stored == (sl_ptx_action(&g->f->insns[second]) == SL_ACT_STORE))
    return false;
  for (uint32_t k = stored ? 0 : first + 1; k < (stored ? first : second); k++) {
    const sl_ptx_insn *in = &g->f->insns[k];
    if ((!stored && !s->on[g->part_of[k]]) || !same_statement(g, k, second)) continue;
    loads |= stores && is_read(g, in);
    stores |= sl_ptx_action(in) == SL_ACT_STORE && sl__space_mod(in) == g->space;
  }
  return loads;
}

static uint32_t insn_at(const sl_gap_code *g, uint32_t pc) {
  while (g->m->code[pc].unwritten) pc++;
  return (uint32_t)(sl__insn_of(g->m, &g->m->code[pc], NULL) - g->f->insns);
}

static bool touches_in(const sl_gap_code *g, uint32_t p) {
  for (uint32_t k = g->part[p].first; k < g->part[p].end; k++) {
    const sl_ptx_insn *in = &g->f->insns[k];
    if (is_read(g, in) || (sl_ptx_does(in, SL_DOES_WRITE) && sl__space_mod(in) == g->space)) return true;
  }
  return false;
}

// Does the code before the loop touch such memory without a barrier behind that?
static bool touched_before(const sl_gap_code *g, const sl_loop_code *loop) {
  const uint32_t head = g->part_of[insn_at(g, loop->head)];
  SL_FREED bool *seen = sl_must(malloc((g->n + 1) * sizeof *seen));
  SL_FREED bool *inside = sl_must(calloc(g->n + 1, sizeof *inside));
  bool found = false;
  for (uint32_t pc = loop->head; pc <= loop->tail; pc++) inside[g->part_of[insn_at(g, pc)]] = true;
  for (uint32_t p = 0; p < g->n && !found; p++) {
    if (inside[p] || !touches_in(g, p)) continue;
    reach(g, p, head, NOWHERE, seen);
    found = seen[head];
  }
  return found;
}

// A trip of the loop lies between the two accesses, so the barrier belongs into that loop.
static sl_gap gap_around(const sl_gap_code *g, uint32_t first, uint32_t second, const sl_loop_code *loop) {
  const uint32_t head = g->part_of[insn_at(g, loop->head)], p = g->part_of[first], q = g->part_of[second];
  sl_gap_ways a = ways_to(g, p, head, false), b = ways_to(g, head, q, true);
  const bool starts = b.found && b.last_cut != NOWHERE, ends = a.found && a.first_cut != NOWHERE;
  sl_gap gap = {.reads = a.reads || b.reads};
  if (a.found && (b.found || head == q)) gap.how = SL_MEND_SPLIT;
  if (gap.how && (starts || ends)) {
    gap.from = ends ? last_line(g, &a, first) : 0;
    gap.to = starts ? first_line(g, &b, second) : line_of(g, second, second);
    gap.how = starts && (!ends || touched_before(g, loop)) ? SL_MEND_LOOP_START : SL_MEND_LOOP_END;
  }
  free(a.on), free(b.on);
  return gap;
}

// The second access follows the first one in the same trip of all loops around both.
static sl_gap gap_ahead(const sl_gap_code *g, uint32_t first, uint32_t second) {
  sl_gap_ways s = ways_to(g, g->part_of[first], g->part_of[second], false);
  sl_gap gap = {.how = s.found ? SL_MEND_SPLIT : SL_MEND_NOTHING, .reads = s.reads};
  if (s.found && s.first_cut != NOWHERE) {
    const uint32_t own = line_of(g, second, second);
    gap.from = last_line(g, &s, first), gap.to = first_line(g, &s, second);
    // Lines that go backwards: the compiler has copied the body of a loop.
    const bool splits = gap.from == own && !is_copied(g, &s, first, second);
    gap.how = gap.to > gap.from ? SL_MEND_BARRIER : splits ? SL_MEND_SPLIT : SL_MEND_LOOP_END;
  }
  free(s.on);
  return gap;
}

// Closes the heads of the loops around both accesses, inside of which they are in the same trip.
static void close_heads(const sl_gap_code *g, const sl_story *s, const sl_loop_code *upto) {
  const sl_seen_grid *grid = sl__seen_grid(s->a->w->grid);
  const sl_loop_code *span = sl__seen_module(g->m)->spans + grid->first_loop;
  for (uint32_t k = 0; k < grid->n_loops && &span[k] != upto; k++)
    if (s->a->pc >= span[k].head && s->a->pc <= span[k].tail && s->other->pc >= span[k].head &&
        s->other->pc <= span[k].tail)
      g->closed[g->part_of[insn_at(g, span[k].head)]] = true;
}

// The innermost loop around both accesses.
static const sl_loop_code *inner_loop(const sl_story *s) {
  const sl_seen_grid *grid = sl__seen_grid(s->a->w->grid);
  const sl_loop_code *span = sl__seen_module(s->a->w->grid->m)->spans + grid->first_loop, *found = NULL;
  for (uint32_t k = 0; k < grid->n_loops; k++)
    if (s->a->pc >= span[k].head && s->a->pc <= span[k].tail && s->other->pc >= span[k].head &&
        s->other->pc <= span[k].tail)
      found = &span[k];
  return found;
}

static sl_gap gap_of(const sl_gap_code *g, const sl_story *s, uint32_t mine, uint32_t its) {
  bool behind, known;
  const sl_loop_code *apart = sl__trips_part(s->a->w, s->a->pc, s->lane, s->other, &behind, &known);
  const sl_loop_code *inner = known ? NULL : inner_loop(s);
  close_heads(g, s, apart ? apart : inner);
  if (apart) return gap_around(g, behind ? mine : its, behind ? its : mine, apart);
  sl_gap gap = {0};
  if (inner) gap = gap_around(g, its, mine, inner);
  if (gap.how == SL_MEND_NOTHING) gap = gap_ahead(g, its, mine);
  if (gap.how == SL_MEND_NOTHING) gap = gap_ahead(g, mine, its);
  if (gap.how == SL_MEND_NOTHING) gap = gap_of_arms(g, its, mine);
  if (gap.how == SL_MEND_NOTHING) gap = gap_of_arms(g, mine, its);
  if (gap.how == SL_MEND_NOTHING && mine == its) gap.how = SL_MEND_SPLIT;
  return gap;
}

static bool prepare(sl_gap_code *g, const sl_ptx_func *f) {
  g->f = f;
  if (!sl__flow_make(&g->flow, f, NULL) || g->flow.n_bb > MOST_BLOCKS) return false;
  g->part = calloc(f->n_insns + 1, sizeof *g->part);
  g->part_of = calloc(f->n_insns + 1, sizeof *g->part_of);
  g->closed = calloc(f->n_insns + 1, sizeof *g->closed);
  return g->part && g->part_of && g->closed;
}

static void finish(sl_gap_code *g) {
  sl__flow_free(&g->flow);
  free(g->part), free(g->part_of), free(g->closed), free(g->uniform);
}

// Tries the places that all threads pass; if there are none, those that all threads pass that have not ended.
sl_gap sl__gap_between(const sl_story *s, bool warp) {
  sl_gap_code g = {.m = s->a->w->grid->m, .space = (sl_space)s->a->space};
  const sl_func *fn = NULL, *other = NULL;
  const sl_ptx_insn *mine = sl__insn_of(g.m, &g.m->code[s->a->pc], &fn),
                    *its = sl__insn_of(g.m, &g.m->code[s->other->pc], &other);
  sl_gap gap = {0};
  if (!mine || !its || fn != other || !prepare(&g, fn->ir)) {
    finish(&g);
    return gap;
  }
  const uint32_t x = (uint32_t)(mine - g.f->insns), y = (uint32_t)(its - g.f->insns);
  cut_parts(&g, x, y, warp);
  for (int ends_count = 1; ends_count >= 0 && (gap.how == SL_MEND_NOTHING || gap.how == SL_MEND_SPLIT);
       ends_count--) {
    for (uint32_t p = 0; p < g.n; p++) g.closed[p] = g.part[p].barrier;
    free(g.uniform);
    g.uniform = sl__uniform(&g.flow, ends_count);
    gap = gap_of(&g, s, x, y);
  }
  finish(&g);
  return gap;
}
