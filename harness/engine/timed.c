// Which words of a frame hold values from a clock: registers that a clock is read into, and all that is
// computed from them. progress.c leaves these out when it checks whether a loop only waits.
//
// Interface: sl__timed_functions, then sl__timed_words.
//
// Code that is not optimised keeps the time in local memory and reads the clock in functions that it calls.
// So a function that calls another one for the time counts more: values that it loads from local or generic
// memory, values that calls return, and the parameters of its calls, which lie at the head of the frame. That
// hides no progress, as the comparison is made only while nobody writes to global or shared memory.
#include "engine/depends.h"

static bool calls_clock(const sl_gmodule *m, const sl_ptx_insn *in) {
  return sl_ptx_does(in, SL_DOES_CALL) && in->ops[0].kind == SL_O_FUNC && m->timed[in->ops[0].func];
}

static bool reads_clock(const sl_ptx_insn *in) {
  for (uint32_t k = 0; k < in->n_ops; k++)
    if (in->ops[k].kind == SL_O_SREG && sl__is_dynamic_sreg(in->ops[k].sreg)) return true;
  return false;
}

// Values that may come from memory or from a call.
static bool comes_back(const sl_ptx_insn *in) {
  if (sl_ptx_does(in, SL_DOES_CALL)) return true;
  sl_space sp = sl__space_mod(in);
  return sl_ptx_action(in) == SL_ACT_LOAD && (sp == SL_SP_NONE || sp == SL_SP_LOCAL || sp == SL_SP_PARAM);
}

// ctx: not NULL if the function calls another one for the time.
static sl_spread from_clock(const sl_depends *d, const sl_ptx_insn *in, uint32_t, bool touched) {
  return touched || reads_clock(in) || (d->ctx && comes_back(in)) ? SL_SPREAD_ON : SL_SPREAD_NO;
}

// Finds the functions that read a clock, directly or through calls.
void sl__timed_functions(sl_gmodule *m) {
  const sl_ptx_module *p = m->ptx;
  m->timed = sl__arena(m, p->n_funcs + 1);
  for (bool more = true, first = true; more; first = false) {
    more = false;
    for (uint32_t i = 0; i < p->n_funcs; i++)
      for (uint32_t k = 0; k < p->funcs[i].n_insns && !m->timed[i]; k++) {
        const sl_ptx_insn *in = &p->funcs[i].insns[k];
        if ((first && reads_clock(in)) || calls_clock(m, in)) m->timed[i] = more = true;
      }
  }
}

static bool calls_for_time(const sl_gmodule *m, const sl_ptx_func *f) {
  for (uint32_t k = 0; k < f->n_insns; k++)
    if (calls_clock(m, &f->insns[k])) return true;
  return false;
}

uint8_t *sl__timed_words(sl_gmodule *m, const sl_ptx_func *f, const sl_slot *slots, uint32_t head,
                         uint32_t frame) {
  static const uint32_t WORDS[] = {
      [SL_R_PRED] = 1, [SL_R_16] = 32, [SL_R_32] = 32, [SL_R_64] = 64, [SL_R_128] = 128};
  if (!m->timed[f - m->ptx->funcs]) return NULL;
  bool calls = calls_for_time(m, f);
  sl_depends d = {.f = f, .n = f->n_insns, .rule = from_clock, .ctx = calls ? &calls : NULL};
  uint8_t *words = sl__arena(m, frame / 4 + 1);
  for (uint32_t k = 0; calls && k < head / 4; k++) words[k] = 1;
  sl__depends_begin(&d);
  sl__depends_search(&d);
  for (uint32_t r = 0; r < f->n_regs; r++)
    for (uint32_t k = 0; d.reg[r] && slots[r] != SL_NO_SLOT && k < WORDS[f->regs[r].cls]; k++)
      if (slots[r] / 4 + k < frame / 4) words[slots[r] / 4 + k] = 1;
  free(d.reg);
  return words;
}
