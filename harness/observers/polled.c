// Is a loaded value a flag? It is when it decides a branch: when it flows, through registers, into a
// comparison (or out of sight: into the parameter of a call). A value that only is added, stored or exchanged
// is data.
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
  sl_family fam = sl_ptx_op_family((sl_ptx_op)in->op);
  bool param = in->op == SL_OP_st && sl__space_mod(in) == SL_SP_PARAM;
  if (fam == SL_FAM_SET || fam == SL_FAM_CTL || param)
    t->hit = true;
  else if (fam != SL_FAM_MEM && fam != SL_FAM_ATOM && in->op != SL_OP_shfl)
    sl__visit_regs(f, in, write_one, t);
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
