// Values followed through the registers of a function: marks go from the operands of an instruction to its
// results (or back), as the caller's rule says, until no instruction adds one. Interface: depends.h.
#include "engine/depends.h"

void sl__depends_begin(sl_depends *d) { d->reg = sl_must(calloc(d->f->n_regs + 1, sizeof *d->reg)); }

void sl__depends_mark(sl_depends *d, uint32_t reg) {
  if (!d->reg[reg]) d->reg[reg] = d->grew = true;
}

static void look(void *ctx, uint32_t reg, bool is_def) {
  sl_depends *d = ctx;
  if (is_def == d->backwards && d->reg[reg]) d->touched = true;
}

static void hand_on(void *ctx, uint32_t reg, bool is_def) {
  sl_depends *d = ctx;
  if (is_def != d->backwards) sl__depends_mark(d, reg);
}

void sl__depends_mark_results(sl_depends *d, const sl_ptx_insn *in) { sl__visit_regs(d->f, in, hand_on, d); }

static sl_spread spread(sl_depends *d, uint32_t k) {
  const sl_ptx_insn *in = d->at ? d->at(d, k) : &d->f->insns[k];
  if (!in) return SL_SPREAD_NO;
  d->touched = false;
  sl__visit_regs(d->f, in, look, d);
  sl_spread how = d->rule(d, in, k, d->touched);
  if (how == SL_SPREAD_ON) sl__visit_regs(d->f, in, hand_on, d);
  return how;
}

bool sl__depends_search(sl_depends *d) {
  do {
    d->grew = false;
    for (uint32_t k = 0; k < d->n; k++)
      if (spread(d, d->backwards ? d->n - 1 - k : k) == SL_SPREAD_FOUND) return true;
  } while (d->grew);
  return false;
}
