// Which words of a frame hold what comes from a clock: registers that a clock is read into, and all that is computed
// from them. Interface: sl__timed_words. progress.c leaves these out when it looks whether a loop only waits.
#include <stdlib.h>
#include "sim/core.h"

typedef struct sl_taint {
  bool *reg;
  bool source, more; // this instruction reads a tainted register; something new was found
} sl_taint;

static void look(void *ctx, uint32_t reg, bool is_def) {
  sl_taint *t = ctx;
  if (!is_def && t->reg[reg]) t->source = true;
}

static void mark(void *ctx, uint32_t reg, bool is_def) {
  sl_taint *t = ctx;
  if (!is_def || t->reg[reg]) return;
  t->reg[reg] = t->more = true;
}

static bool reads_clock(const sl_ptx_insn *in) {
  for (uint32_t k = 0; k < in->n_ops; k++)
    if (in->ops[k].kind == SL_O_SREG && sl__is_dynamic_sreg(in->ops[k].sreg)) return true;
  return false;
}

// True when something was found.
static bool spread(const sl_ptx_func *f, sl_taint *t) {
  t->more = false;
  for (uint32_t k = 0; k < f->n_insns; k++) {
    t->source = reads_clock(&f->insns[k]);
    sl__visit_regs(f, &f->insns[k], look, t);
    if (t->source) sl__visit_regs(f, &f->insns[k], mark, t);
  }
  return t->more;
}

static bool any_clock(const sl_ptx_func *f) {
  for (uint32_t k = 0; k < f->n_insns; k++)
    if (reads_clock(&f->insns[k])) return true;
  return false;
}

uint8_t *sl__timed_words(sl_gmodule *m, const sl_ptx_func *f, const sl_slot *slots, uint32_t frame) {
  static const uint32_t WORDS[] = {[SL_R_PRED] = 1, [SL_R_16] = 32, [SL_R_32] = 32, [SL_R_64] = 64, [SL_R_128] = 128};
  if (!any_clock(f)) return NULL;
  sl_taint t = {.reg = calloc(f->n_regs + 1, sizeof *t.reg)};
  uint8_t *words = sl__arena(m, frame / 4 + 1);
  if (!t.reg) abort();
  while (spread(f, &t)) continue;
  for (uint32_t r = 0; r < f->n_regs; r++)
    for (uint32_t k = 0; t.reg[r] && slots[r] != SL_NO_SLOT && k < WORDS[f->regs[r].cls]; k++)
      if (slots[r] / 4 + k < frame / 4) words[slots[r] / 4 + k] = 1;
  free(t.reg);
  return words;
}
