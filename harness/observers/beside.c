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

// What stands next to the access, in steps of [way]. A fence of the block is none for global memory.
static sl_beside look(const sl_gmodule *m, uint32_t access, int way) {
  const bool shared = sl__space_mod(sl__insn_of(m, &m->code[access], NULL)) == SL_SP_SHARED;
  bool fence = false;
  for (uint32_t pc = access + (uint32_t)way; pc < m->n_code && !is_jump(m, pc); pc += (uint32_t)way) {
    const sl_patch *p = &m->patches[pc];
    if (p->kind == SL_SEE_FENCE) fence |= shared || !(p->flags & SL_IS_CTA);
    else if (p->flags & SL_IS_STRONG) return fence ? FENCE_THEN_ACCESS : STRONG_ACCESS;
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
