// Is a loaded value a flag? It is when it decides a branch: when it flows, through registers, into a
// comparison (or out of sight: into the parameter of a call). A value that only is added, stored or exchanged
// is data.
//
// In shared memory a volatile flag must be waited for as well, in a loop that it ends and that has no
// __syncthreads(): volatile orders nothing, so a bound or a condition that a thread changes while others read
// it is a race like any other.
#include <stdlib.h>
#include "observers/observers.h"

typedef struct taint {
  bool *reg;
  bool hit, grew;
  bool reads, memory; // of the instruction looked at
} taint;

static void read_one(void *ctx, uint32_t reg, bool is_def) {
  taint *t = ctx;
  if (!is_def && t->reg[reg]) t->reads = true;
}

static void write_one(void *ctx, uint32_t reg, bool is_def) {
  taint *t = ctx;
  if (is_def && !t->reg[reg]) t->reg[reg] = t->grew = true;
}

static void step(const sl_ptx_func *f, const sl_ptx_insn *in, taint *t) {
  t->reads = false;
  sl__visit_regs(f, in, read_one, t);
  if (!t->reads) return;
  sl_value_flow flow = sl_ptx_flow(in);
  bool param = sl_ptx_action(in) == SL_ACT_STORE && sl__space_mod(in) == SL_SP_PARAM;
  if (flow == SL_FLOW_COMPARES || flow == SL_FLOW_CHOOSES || flow == SL_FLOW_DECIDES || param) t->hit = true;
  else if (flow != SL_FLOW_MEMORY && flow != SL_FLOW_EXCHANGES) sl__visit_regs(f, in, write_one, t);
}

bool sl__is_polled(const sl_gmodule *m, const sl_ptx_func *f, const sl_ptx_insn *in) {
  (void)m;
  taint t = {.reg = calloc(f->n_regs + 1, sizeof(bool))};
  if (!t.reg) return true;
  sl__visit_regs(f, in, write_one, &t);
  while (t.grew && !t.hit) {
    t.grew = false;
    for (uint32_t k = 0; k < f->n_insns && !t.hit; k++) step(f, &f->insns[k], &t);
  }
  free(t.reg);
  return t.hit;
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

// What the value decides in the loop: hit when it is left, or when the value goes out of sight.
static void follow(const sl_gmodule *m, const sl_loop_code *s, uint32_t pc, taint *t) {
  const sl_func *fn = NULL;
  const sl_ptx_insn *in = m->code[pc].unwritten ? NULL : sl__insn_of(m, &m->code[pc], &fn);
  t->reads = false;
  if (in) sl__visit_regs(fn->ir, in, read_one, t);
  if (!t->reads) return;
  if (sl_ptx_flow(in) == SL_FLOW_DECIDES) t->hit |= !sl_ptx_does(in, SL_DOES_BRANCH) || leaves(m, s, pc);
  else if (sl_ptx_action(in) == SL_ACT_STORE)
    t->hit |= sl__space_mod(in) == SL_SP_PARAM || sl__space_mod(in) == SL_SP_LOCAL;
  else sl__visit_regs(fn->ir, in, write_one, t);
}

static bool ends_loop(const sl_gmodule *m, const sl_loop_code *s, uint32_t load) {
  const sl_func *fn;
  const sl_ptx_insn *in = sl__insn_of(m, &m->code[load], &fn);
  taint t = {.reg = calloc(fn->ir->n_regs + 1, sizeof(bool))};
  if (!t.reg) return true;
  sl__visit_regs(fn->ir, in, write_one, &t);
  while (t.grew && !t.hit) {
    t.grew = false;
    for (uint32_t pc = s->head; pc <= s->tail && !t.hit; pc++) follow(m, s, pc, &t);
  }
  free(t.reg);
  return t.hit;
}

static bool has_barrier(const sl_gmodule *m, const sl_loop_code *s) {
  for (uint32_t pc = s->head; pc <= s->tail; pc++) {
    const sl_ptx_insn *in = m->code[pc].unwritten ? NULL : sl__insn_of(m, &m->code[pc], NULL);
    if (in && is_block_barrier(in)) return true;
  }
  return false;
}

static bool is_waited_for(const sl_gmodule *m, uint32_t load) {
  const sl_seen_module *all = sl__seen_module(m);
  for (uint32_t k = 0; k < all->n_spans && all->spans[k].head <= load; k++) {
    const sl_loop_code *s = &all->spans[k];
    if (load <= s->tail && !has_barrier(m, s) && ends_loop(m, s, load)) return true;
  }
  return false;
}

// What is waited for is a flag even when lanes hand it on by a shuffle first.
void sl__polled_sift(sl_gmodule *m) {
  for (uint32_t pc = 0; pc < m->n_code; pc++) {
    const sl_func *fn = NULL;
    const sl_patch *p = &m->patches[pc];
    sl_sight *s = sl__sight(m, pc);
    if (p->kind != SL_SEE_LOAD || !(p->flags & SL_IS_STRONG)) continue;
    const sl_ptx_insn *in = sl__insn_of(m, &m->code[pc], &fn);
    bool sifted = fn->ir->is_entry && sl_ptx_has_mod(in, SL_M_volatile) && sl__space_mod(in) == SL_SP_SHARED;
    s->waits = is_waited_for(m, pc);
    s->polled = s->waits || (s->polled && !sifted);
  }
}
