// nanosleep, clocks, and hints that have no effect here.
//
// Clocks are deterministic: they count executed warp instructions. Reading a clock takes a few cycles, so a
// loop that waits for time to pass ends.
#include "engine/core.h"

#define CYCLES_A_LOOK 24

static uint64_t cycles(sl_warp *w) {
  sl_grid *g = w->grid;
  g->clock += CYCLES_A_LOOK;
  return (uint64_t)g->gpu->clock + g->instructions + g->clock;
}

static sl_step clock_read(sl_warp *w, const sl_xinsn *i) {
  if (w->grid->worker) return SL_STEP_FAULT; // the result depends on what other blocks did before
  uint64_t t = cycles(w), v64[SL_LANES];
  uint32_t v32[SL_LANES];
  if (i->aux == SL_SR_globaltimer || i->aux == SL_SR_globaltimer_lo || i->aux == SL_SR_globaltimer_hi)
    t = 1000000000ull + t * 1000000ull / w->grid->gpu->cfg.profile->clock_khz;
  if (i->aux == SL_SR_clock_hi || i->aux == SL_SR_globaltimer_hi) t >>= 32;
  for (int l = 0; l < SL_LANES; l++) v64[l] = t, v32[l] = (uint32_t)t;
  if (i->target == 64) sl__put64(w, i->d, v64);
  else sl__put32(w, i->d, v32);
  return SL_STEP;
}

bool sl__decode_sreg(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  x->fn = clock_read;
  x->aux = in->ops[1].sreg;
  x->target = sl__operand_bits(dc, &in->ops[0]);
  return sl__dst(dc, &in->ops[0], &x->d);
}

static sl_step sleep_a_while(sl_warp *w, const sl_xinsn *i) {
  uint32_t ns = sl__u32(w, i->s[0])[__builtin_ctz(w->mask)];
  w->grid->clock += ns < 1000000 ? ns : 1000000;
  w->pc = sl__pc(w, i) + 1;
  sl__split(w)->tired = true;
  return SL_STEP_YIELD;
}

// A cache policy is a number that only cache hints use.
static SL_NULLARY(policy, uint64_t, 0)

sl_step sl__nothing(sl_warp *, const sl_xinsn *) { return SL_STEP; }

bool sl__decode_misc(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  switch ((sl_ptx_op)in->op) {
  case SL_OP_nanosleep:
    x->fn = sleep_a_while;
    return in->n_ops == 1 && sl__src(dc, &in->ops[0], SL_M_u32, &x->s[0]);
  case SL_OP_pmevent:
  case SL_OP_discard:
  case SL_OP_applypriority:
  case SL_OP_setmaxnreg: x->fn = sl__nothing; return true;
  case SL_OP_mapa:
  case SL_OP_getctarank: return sl__decode_cluster(dc, in, x);
  case SL_OP_alloca:
  case SL_OP_stacksave:
  case SL_OP_stackrestore: return sl__decode_stack(dc, in, x);
  case SL_OP_createpolicy: x->fn = policy; return in->n_ops > 0 && sl__dst(dc, &in->ops[0], &x->d);
  default: return sl__refuse(dc, in, "not supported");
  }
}
