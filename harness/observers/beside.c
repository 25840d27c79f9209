// Strong accesses and the fences beside them, in straight code. `*mine = 1; __threadfence(); seen = *other;`
// asks what the other thread has said by now; so does each of two loads with a fence between them.
//
// Interface: sl__beside_fence. flags.c decides what such accesses may meet.
#include "observers/observers.h"

typedef enum sl_beside { NOTHING, STRONG_ACCESS, FENCE_THEN_ACCESS } sl_beside;

static bool is_jump(const sl_gmodule *m, uint32_t pc) {
  const sl_ptx_insn *in = m->code[pc].unwritten ? NULL : sl__insn_of(m, &m->code[pc], NULL);
  return in && sl_ptx_flow(in) == SL_FLOW_DECIDES;
}

// The fence at [pc]; in code that is not optimised __threadfence() is a call of a function that has one.
static const sl_patch *fence_at(const sl_gmodule *m, uint32_t pc) {
  const sl_ptx_insn *in = m->code[pc].unwritten ? NULL : sl__insn_of(m, &m->code[pc], NULL);
  if (m->patches[pc].kind == SL_SEE_FENCE) return &m->patches[pc];
  if (!in || !sl_ptx_does(in, SL_DOES_CALL) || in->ops[0].kind != SL_O_FUNC) return NULL;
  const sl_func *callee = &m->funcs[in->ops[0].func];
  for (uint32_t k = 0; k < callee->n_code; k++)
    if (m->patches[callee->first_pc + k].kind == SL_SEE_FENCE) return &m->patches[callee->first_pc + k];
  return NULL;
}

// What stands next to the access, in steps of [way]. A fence of the block is none for global memory.
static sl_beside look(const sl_gmodule *m, uint32_t access, int way) {
  const bool shared = sl__space_mod(sl__insn_of(m, &m->code[access], NULL)) == SL_SP_SHARED;
  bool fence = false;
  for (uint32_t pc = access + (uint32_t)way; pc < m->n_code; pc += (uint32_t)way) {
    const sl_patch *f = fence_at(m, pc);
    if (f) fence |= shared || !(f->flags & SL_IS_CTA);
    else if (is_jump(m, pc)) break;
    else if (m->patches[pc].flags & SL_IS_STRONG) return fence ? FENCE_THEN_ACCESS : STRONG_ACCESS;
  }
  return NOTHING;
}

bool sl__beside_fence(const sl_gmodule *m, uint32_t pc) {
  const sl_patch *p = &m->patches[pc];
  if (!(p->flags & SL_IS_STRONG)) return false;
  if (p->kind == SL_SEE_STORE) return look(m, pc, 1) != STRONG_ACCESS;
  return p->kind == SL_SEE_LOAD &&
         (look(m, pc, -1) == FENCE_THEN_ACCESS || look(m, pc, 1) == FENCE_THEN_ACCESS);
}
