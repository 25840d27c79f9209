// Decides whether a loaded value is a flag. It is one if it decides a branch: if it flows, through registers,
// into a comparison (or out of sight: into the parameter of a call, or into a single shared word, by which a
// thread tells its block what it has seen). A value that is only added, stored or exchanged is data. In
// shared memory a volatile value is a flag only if a loop without __syncthreads() waits for it. volatile
// orders nothing, so a bound that a thread changes while others read it is a race like any other.
#include "engine/depends.h"
#include "observers/observers.h"

static bool goes_out_of_sight(const sl_ptx_insn *store) {
  const sl_operand *to = &store->ops[0];
  sl_space space = sl__space_mod(store);
  return space == SL_SP_PARAM || (space == SL_SP_SHARED && to->kind == SL_O_MEM && to->base_kind == SL_O_VAR);
}

static sl_spread decide(const sl_depends *, const sl_ptx_insn *in, uint32_t, bool touched) {
  if (!touched) return SL_SPREAD_NO;
  switch (sl_ptx_flow(in)) {
  case SL_FLOW_COMPARES:
  case SL_FLOW_CHOOSES:
  case SL_FLOW_DECIDES: return SL_SPREAD_FOUND;
  case SL_FLOW_EXCHANGES: return SL_SPREAD_NO;
  case SL_FLOW_MEMORY:
    return sl_ptx_action(in) == SL_ACT_STORE && goes_out_of_sight(in) ? SL_SPREAD_FOUND : SL_SPREAD_NO;
  default: return SL_SPREAD_ON;
  }
}

static bool leads_to_it(sl_depends *d, const sl_ptx_insn *load) {
  sl__depends_begin(d);
  sl__depends_mark_results(d, load);
  bool found = sl__depends_search(d);
  free(d->reg);
  return found;
}

bool sl__is_polled(const sl_ptx_func *f, const sl_ptx_insn *in) {
  return leads_to_it(&(sl_depends){.f = f, .n = f->n_insns, .rule = decide}, in);
}

// Is it only a place to store to: `next[atomicAdd(&size, 1)] = node`? Then it tells nothing of others.
static bool stores_mark(const sl_depends *d, const sl_ptx_insn *store) {
  bool found = sl__space_mod(store) == SL_SP_PARAM;
  for (uint32_t o = 1; o < store->n_ops; o++)
    found |= store->ops[o].kind == SL_O_REG ? d->reg[store->ops[o].reg] : store->ops[o].kind != SL_O_IMM;
  return found;
}

static sl_spread tell(const sl_depends *d, const sl_ptx_insn *in, uint32_t, bool touched) {
  if (!touched) return SL_SPREAD_NO;
  switch (sl_ptx_flow(in)) {
  case SL_FLOW_COMPARES:
  case SL_FLOW_CHOOSES:
  case SL_FLOW_DECIDES: return SL_SPREAD_FOUND;
  case SL_FLOW_MEMORY:
    return sl_ptx_action(in) == SL_ACT_STORE && !stores_mark(d, in) ? SL_SPREAD_NO : SL_SPREAD_FOUND;
  default: return SL_SPREAD_ON;
  }
}

bool sl__is_place(const sl_ptx_func *f, const sl_ptx_insn *in) {
  return !leads_to_it(&(sl_depends){.f = f, .n = f->n_insns, .rule = tell}, in);
}

// Waiting ---------------------------------------------------------------------------------------------------

static bool is_block_barrier(const sl_ptx_insn *in) {
  return sl_ptx_action(in) == SL_ACT_BARRIER && !sl_ptx_has_mod(in, SL_M_arrive) &&
         in->ops[0].kind == SL_O_IMM && in->ops[0].imm == 0;
}

// Does the branch have a way out of the loop?
static bool leaves(const sl_gmodule *m, const sl_loop_code *s, uint32_t pc) {
  uint32_t ways[] = {m->code[pc].target, pc + 1};
  const sl_xinsn *next = pc + 1 < m->n_code ? &m->code[pc + 1] : NULL;
  if (next && next->unwritten && sl__is_added_jump(m->patches[pc + 1].own)) ways[1] = next->target;
  return ways[0] - s->head > s->tail - s->head || ways[1] - s->head > s->tail - s->head;
}

// Code in which a value is followed: a function from its first instruction on, or a loop of it.
typedef struct sl_stretch {
  const sl_gmodule *m;
  uint32_t first;
  const sl_loop_code *loop;
  uint32_t *spin; // the jump to itself that was found
} sl_stretch;

static const sl_ptx_insn *in_stretch(const sl_depends *d, uint32_t k) {
  const sl_stretch *x = d->ctx;
  const sl_xinsn *i = &x->m->code[x->first + k];
  return i->unwritten ? NULL : sl__insn_of(x->m, i, NULL);
}

// What the value decides in the loop: found when it is left, or when the value goes out of sight.
static sl_spread end_loop(const sl_depends *d, const sl_ptx_insn *in, uint32_t k, bool touched) {
  const sl_stretch *x = d->ctx;
  bool found = false;
  if (!touched) return SL_SPREAD_NO;
  if (sl_ptx_flow(in) == SL_FLOW_DECIDES)
    found = !sl_ptx_does(in, SL_DOES_BRANCH) || leaves(x->m, x->loop, x->first + k);
  else if (sl_ptx_action(in) == SL_ACT_STORE)
    found = sl__space_mod(in) == SL_SP_PARAM || sl__space_mod(in) == SL_SP_LOCAL;
  else return SL_SPREAD_ON;
  return found ? SL_SPREAD_FOUND : SL_SPREAD_NO;
}

static bool ends_loop(const sl_gmodule *m, const sl_loop_code *s, uint32_t load) {
  const sl_func *fn;
  const sl_ptx_insn *in = sl__insn_of(m, &m->code[load], &fn);
  sl_stretch x = {m, s->head, s, NULL};
  sl_depends d = {.f = fn->ir, .n = s->tail - s->head + 1, .at = in_stretch, .rule = end_loop, .ctx = &x};
  return leads_to_it(&d, in);
}

static bool has_barrier(const sl_gmodule *m, const sl_loop_code *s) {
  for (uint32_t pc = s->head; pc <= s->tail; pc++) {
    const sl_ptx_insn *in = m->code[pc].unwritten ? NULL : sl__insn_of(m, &m->code[pc], NULL);
    if (in && is_block_barrier(in)) return true;
  }
  return false;
}

// The loop that waits for the loaded value; NULL: none does.
static const sl_loop_code *waiting_loop(const sl_gmodule *m, uint32_t load) {
  const sl_seen_module *all = sl__seen_module(m);
  for (uint32_t k = 0; k < all->n_spans && all->spans[k].head <= load; k++) {
    const sl_loop_code *s = &all->spans[k];
    if (load <= s->tail && !has_barrier(m, s) && ends_loop(m, s, load)) return s;
  }
  return NULL;
}

static bool is_waited_for(const sl_gmodule *m, uint32_t load) { return waiting_loop(m, load) != NULL; }

bool sl__caller_reads(sl_warp *w) {
  enum { UP = 2 };
  const sl_gmodule *m = w->grid->m;
  const sl_frame *f = sl__split(w)->frame;
  for (int up = 0; up < UP && f && f->call; up++, f = f->parent) {
    const sl_func *fn = NULL;
    const uint32_t takes = sl__pc(w, f->call) + 1; // puts what was returned into a register
    const sl_ptx_insn *in = m->code[takes].unwritten ? NULL : sl__insn_of(m, &m->code[takes], &fn);
    if (!in || !in->n_ops || in->ops[0].kind != SL_O_REG) continue;
    if (!sl__is_read(fn->ir, &in->ops[0]) || is_waited_for(m, takes)) return false;
  }
  return true;
}

// Is it a loop of one jump, which never ends?
static bool is_spin(const sl_gmodule *m, uint32_t pc) {
  const sl_seen_module *all = sl__seen_module(m);
  for (uint32_t k = 0; k < all->n_spans && all->spans[k].head <= pc; k++)
    if (all->spans[k].head == pc && all->spans[k].tail == pc) return true;
  return false;
}

static sl_spread decide_spin(const sl_depends *d, const sl_ptx_insn *in, uint32_t k, bool touched) {
  const sl_stretch *x = d->ctx;
  const uint32_t pc = x->first + k;
  if (!touched || sl_ptx_flow(in) == SL_FLOW_MEMORY) return SL_SPREAD_NO;
  if (sl_ptx_flow(in) != SL_FLOW_DECIDES) return SL_SPREAD_ON;
  const uint32_t ways[] = {x->m->code[pc].target, pc + 1};
  for (int way = 0; way < 2 && sl_ptx_does(in, SL_DOES_BRANCH); way++)
    if (is_spin(x->m, ways[way])) return *x->spin = ways[way], SL_SPREAD_FOUND;
  return SL_SPREAD_NO;
}

// The compiler makes a plain load once, in front of the loop that waits for it: the loop is a jump to itself.
static bool find_wait(const sl_gmodule *m, uint32_t load, uint32_t *loop) {
  const sl_func *fn = NULL;
  const sl_loop_code *s = waiting_loop(m, load);
  if (s) return *loop = s->tail, true;
  const sl_ptx_insn *in = sl__insn_of(m, &m->code[load], &fn);
  sl_stretch x = {m, fn->first_pc, NULL, loop};
  sl_depends d = {.f = fn->ir, .n = fn->n_code, .at = in_stretch, .rule = decide_spin, .ctx = &x};
  return leads_to_it(&d, in);
}

// Asked for each pair of accesses that race.
bool sl__awaits(const sl_gmodule *m, uint32_t load, uint32_t *loop) {
  uint32_t *known = &sl__sight(m, load)->awaited, found = 0;
  if (!*known) *known = find_wait(m, load, &found) ? found + 2 : 1;
  if (*known > 1) *loop = *known - 2;
  return *known > 1;
}

bool sl__same_place(const sl_operand *a, const sl_operand *b) {
  return a->kind == SL_O_MEM && b->kind == SL_O_MEM && a->base_kind == b->base_kind && a->reg == b->reg &&
         a->var == b->var && a->imm == b->imm;
}

// The compiler makes the first look of a loop with a body in front of it: `while (*flag == 0) rest();`. Is it
// that: does a loop wait for the same word?
static bool is_first_look(const sl_gmodule *m, uint32_t load) {
  const sl_func *fn = NULL;
  const sl_ptx_insn *first = sl__insn_of(m, &m->code[load], &fn);
  for (uint32_t pc = fn->first_pc; pc < fn->first_pc + fn->n_code; pc++) {
    const sl_ptx_insn *in = sl__sight(m, pc)->waits ? sl__insn_of(m, &m->code[pc], NULL) : NULL;
    if (in && sl__same_place(&in->ops[1], &first->ops[1])) return true;
  }
  return false;
}

static bool is_strong_load(const sl_patch *p) { return p->kind == SL_SEE_LOAD && p->flags & SL_IS_STRONG; }

// A value that a loop waits for is a flag even if lanes pass it on by a shuffle first.
static void sift(sl_gmodule *m, uint32_t pc) {
  const sl_func *fn = NULL;
  sl_sight *s = sl__sight(m, pc);
  const sl_ptx_insn *in = sl__insn_of(m, &m->code[pc], &fn);
  bool sifted = fn->ir->is_entry && sl_ptx_has_mod(in, SL_M_volatile) && sl__space_mod(in) == SL_SP_SHARED;
  s->waits = is_waited_for(m, pc);
  s->polled = s->waits || (s->polled && !sifted);
}

// Is the place a value that was read itself? `while (next[k] != k) k = next[k];`
static sl_spread look_for_link(const sl_depends *d, const sl_ptx_insn *in, uint32_t k, bool touched) {
  const sl_stretch *x = d->ctx;
  if (!touched) return SL_SPREAD_NO;
  switch (sl_ptx_flow(in)) {
  case SL_FLOW_COMPARES:
  case SL_FLOW_CHOOSES:
  case SL_FLOW_DECIDES: return SL_SPREAD_NO;
  case SL_FLOW_MEMORY: return is_strong_load(&x->m->patches[x->first + k]) ? SL_SPREAD_FOUND : SL_SPREAD_NO;
  default: return SL_SPREAD_ON;
  }
}

static bool is_walk(const sl_gmodule *m, uint32_t load) {
  const sl_func *fn = NULL;
  const sl_operand *at = &sl__insn_of(m, &m->code[load], &fn)->ops[1];
  sl_stretch x = {m, fn->first_pc, NULL, NULL};
  sl_depends d = {
      .f = fn->ir, .n = fn->n_code, .at = in_stretch, .backwards = true, .rule = look_for_link, .ctx = &x};
  if (at->kind != SL_O_MEM || at->base_kind != SL_O_REG) return false;
  sl__depends_begin(&d);
  sl__depends_mark(&d, at->reg);
  const bool found = sl__depends_search(&d);
  free(d.reg);
  return found;
}

void sl__polled_sift(sl_gmodule *m) {
  for (uint32_t pc = 0; pc < m->n_code; pc++) {
    const sl_patch *p = &m->patches[pc];
    if (is_strong_load(p)) sift(m, pc);
    if (p->kind == SL_SEE_RMW && p->flags & SL_IS_RESULT) sl__sight(m, pc)->tries = is_waited_for(m, pc);
  }
  for (uint32_t pc = 0; pc < m->n_code; pc++) {
    sl_sight *s = is_strong_load(&m->patches[pc]) ? sl__sight(m, pc) : NULL;
    if (s && s->polled && !s->waits) s->waits = is_first_look(m, pc);
  }
  for (uint32_t pc = 0; pc < m->n_code; pc++)
    if (sl__sight(m, pc)->waits) sl__sight(m, pc)->walks = is_walk(m, pc);
}
