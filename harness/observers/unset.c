// memory.uninit: a variable of a kernel that is used before it has a value, as in `float sum; .. sum += x;`.
// It lives in a register, so no load shows it. Registers that may be read before they are written
// (liveness.c) are marked as undefined when a block starts; undefined.c follows them.
//
// Interface: sl__unset_begin, for a block; sl__unset_tell (undefined.h).
#include "observers/undefined.h"

void sl__unset_begin(sl_block *b) {
  const sl_func *fn = b->grid->k->fn;
  for (uint32_t k = 0; k < b->n_warps * fn->n_unset; k++) {
    sl_cwarp *c = &b->warps[k / fn->n_unset];
    const uint32_t reg = fn->unset[k % fn->n_unset];
    sl_undef u = {.lanes = c->all, .from = {.addr = reg, .space = SL_SP_PARAM, .whole = true}};
    memset(u.bytes, SL_UNDEF_ALL, sizeof u.bytes);
    sl__see_inner(b->grid);
    sl__marks_set(&sl__seen_block(b)->undef, sl__split(&c->w)->frame, reg, c->all, &u);
  }
}

// The first instruction of the kernel's text that reads the register; 0: none.
static uint32_t first_read(const sl_grid *g, uint32_t reg) {
  const sl_func *fn = g->k->fn;
  for (uint32_t pc = fn->first_pc; pc < fn->first_pc + fn->n_code; pc++) {
    const sl_ptx_insn *in = sl__insn_of(g->m, &g->code[pc], NULL);
    if (in && !g->code[pc].unwritten && sl__reads(fn->ir, in, reg)) return pc;
  }
  return 0;
}

void sl__unset_tell(sl_warp *w, const sl_origin *o, const char *use, uint32_t used) {
  const uint32_t read = first_read(w->grid, (uint32_t)o->addr), pc = read ? read : used;
  uint32_t *told = sl__table_put(&sl__seen_grid(w->grid)->reports, pc, 9);
  sl_src_pos pos;
  sl_finding f;
  if (!told || (*told)++) return;
  sl__finding_begin(&f, w, &w->grid->code[pc], (int)__builtin_ctz(w->mask), SL_FOUND_MEMORY_UNINIT);
  snprintf(f.what, sizeof f.what, "use of a variable that has no value yet");
  snprintf(f.why, sizeof f.why,
           "Nothing has set the variable on the way here, and its value %s at line %u; on hardware it is "
           "whatever the register held",
           use, sl__place_at(w->grid->m, used, &pos) ? pos.line : 0);
  snprintf(f.advice, sizeof f.advice, "Give the variable a value where it is declared, such as 0 for a sum");
  sl_gpu_add_finding(w->grid->gpu, &f);
}
