// Finds stores to bit fields as unoptimised code makes them: a load of the word, `and` and `or` (or `bfi`),
// and a store to the same place. For the first field of a word the load reads unwritten bytes. That is no
// mistake: the bits that matter are replaced. Interface: sl__is_bit_field.
#include "observers/observers.h"

#define REACH 16 // instructions from the load to the store

static bool same_operand(const sl_operand *a, const sl_operand *b) {
  if (a->kind != SL_O_MEM || b->kind != SL_O_MEM || a->base_kind != b->base_kind || a->imm != b->imm)
    return false;
  return a->base_kind == SL_O_REG ? a->reg == b->reg : a->base_kind == SL_O_VAR && a->var == b->var;
}

bool sl__is_bit_field(const sl_ptx_func *f, const sl_ptx_insn *in) {
  const sl_ptx_insn *end = f->insns + f->n_insns, *k = in + 1;
  bool cleared = false, put = false;
  for (; k < end && k < in + REACH; k++) {
    if (sl_ptx_action(k) == SL_ACT_STORE && same_operand(&k->ops[0], &in->ops[1])) return cleared && put;
    cleared |= k->op == SL_OP_and || k->op == SL_OP_bfi;
    put |= (k->op == SL_OP_or && cleared) || k->op == SL_OP_bfi;
    if (sl_ptx_flow(k) == SL_FLOW_DECIDES) return false;
  }
  return false;
}
