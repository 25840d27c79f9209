// memory.uninit: a variable that is used before it has a value, as in `float sum; .. sum += x;`. It lives in
// a register, so no load shows it. Registers that may be read before they are written (liveness.c) are marked
// as undefined when a block starts, or a function is called; undefined.c follows them.
//
// Interface: sl__unset_begin, for a block, sl__unset_enter, for a call; sl__unset_tell (undefined.h).
#include "observers/undefined.h"

void sl__unset_enter(sl_warp *w, const sl_frame *f, uint32_t lanes) {
  for (uint32_t k = 0; k < f->fn->n_unset; k++) { // from: the register, and where its function begins
    const uint32_t reg = f->fn->unset[k];
    sl_undef u = {.lanes = lanes,
                  .from = {.addr = reg, .pc = f->fn->first_pc, .space = SL_SP_PARAM, .whole = true}};
    memset(u.bytes, SL_UNDEF_ALL, sizeof u.bytes);
    sl__see_inner(w->grid);
    sl__marks_set(&sl__seen_block(w->block)->undef, f, reg, lanes, &u);
  }
}

void sl__unset_begin(sl_block *b) {
  for (uint32_t k = 0; k < b->n_warps; k++)
    sl__unset_enter(&b->warps[k].w, sl__split(&b->warps[k].w)->frame, b->warps[k].all);
}

// The first instruction that reads the register, in the text of the function at [first]; 0: none.
static uint32_t first_read(const sl_gmodule *m, uint32_t first, uint32_t reg) {
  const sl_func *fn = NULL;
  for (uint32_t k = 0; k < m->ptx->n_funcs && !fn; k++)
    if (m->funcs[k].n_code && m->funcs[k].first_pc == first) fn = &m->funcs[k];
  for (uint32_t pc = first; fn && pc < first + fn->n_code; pc++) {
    const sl_ptx_insn *in = sl__insn_of(m, &m->code[pc], NULL);
    if (in && !m->code[pc].unwritten && sl__reads(fn->ir, in, reg)) return pc;
  }
  return 0;
}

void sl__unset_tell(sl_warp *w, const sl_origin *o, const char *use, uint32_t used) {
  const uint32_t read = first_read(w->grid->m, o->pc, (uint32_t)o->addr), pc = read ? read : used;
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
