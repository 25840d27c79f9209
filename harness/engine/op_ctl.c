// Control flow: bra, brx.idx, call, ret, exit, trap, brkpt.
//
// A branch that all lanes take, or none, is a jump. Else the lanes that take it leave the split. Only
// backward branches cost fuel: there progress.c checks a warp for progress and fairness. A call copies
// arguments word by word from .param variables of the caller's frame to parameters of the callee's.
#include "engine/flow.h"

static sl_step jump_forward(sl_warp *w, const sl_xinsn *i) {
  w->pc = i->target;
  return SL_STEP_JUMP;
}

static sl_step jump_back(sl_warp *w, const sl_xinsn *i) {
  w->pc = i->target;
  return --sl__core(w)->fuel > 0 ? SL_STEP_JUMP : sl__tick(w);
}

static sl_step diverge(sl_warp *w, const sl_xinsn *i, uint32_t taken) {
  sl__fork(w, taken, i->target);
  w->pc = sl__pc(w, i) + 1;
  return SL_STEP_SPLIT;
}

static sl_step branch_forward(sl_warp *w, const sl_xinsn *i) {
  uint32_t taken = sl__taken_lanes(w, i);
  if (!taken) return SL_STEP;
  return taken == w->mask ? jump_forward(w, i) : diverge(w, i, taken);
}

static sl_step branch_back(sl_warp *w, const sl_xinsn *i) {
  uint32_t taken = sl__taken_lanes(w, i);
  if (!taken) return SL_STEP;
  return taken == w->mask ? jump_back(w, i) : diverge(w, i, taken);
}

void sl__finish_branch(sl_xinsn *x, uint32_t pc, uint32_t target) {
  bool plain = x->guard == SL_NO_SLOT;
  x->target = target;
  if (target <= pc) x->fn = plain ? jump_back : branch_back;
  else x->fn = plain ? jump_forward : branch_forward;
}

// A jump that layout.c has added does not count as an instruction of the program.
static sl_step added_jump(sl_warp *w, const sl_xinsn *i) {
  sl__uncount(w, w->mask);
  return i->aux ? jump_back(w, i) : jump_forward(w, i);
}

bool sl__is_added_jump(sl_op_fn fn) { return fn == added_jump; }

void sl__finish_jump(sl_xinsn *x, uint32_t pc, uint32_t target) {
  x->fn = added_jump;
  x->target = target;
  x->aux = target <= pc;
}

// Lets the lanes [others] execute the instruction again later.
static void put_off(sl_warp *w, const sl_xinsn *i, uint32_t others) {
  if (others) sl__fork(w, others, sl__pc(w, i));
}

static sl_step branch_table(sl_warp *w, const sl_xinsn *i) {
  const uint32_t *index = sl__u32(w, i->s[0]), *table = i->ext;
  int first = __builtin_ctz(w->mask);
  uint32_t k = index[first], others = 0;
  for (int l = 0; l < SL_LANES; l++)
    if ((w->mask >> l) & 1 && index[l] != k) others |= 1u << l;
  if (k >= i->aux) {
    sl__finding_at(w, i, first, SL_FOUND_KERNEL_ILLEGAL, "brx.idx with index %u of %u targets", k, i->aux);
    return SL_STEP_FAULT;
  }
  put_off(w, i, others);
  w->pc = table[k];
  return table[k] <= sl__pc(w, i) && --sl__core(w)->fuel <= 0 ? sl__tick(w) : SL_STEP_SPLIT;
}

static void copy_words(const sl_warp *w, uint8_t *to, const uint8_t *from, uint32_t words) {
  for (uint32_t k = 0; k < words; k++, to += 128, from += 128) {
    uint32_t *d = (uint32_t *)to;
    const uint32_t *s = (const uint32_t *)from;
    if (w->full) memcpy(d, s, 128);
    else
      for (int l = 0; l < SL_LANES; l++) d[l] = (s[l] & w->lanes[l]) | (d[l] & ~w->lanes[l]);
  }
}

static uint32_t words_of(const sl_gmodule *m, uint32_t var) {
  return (uint32_t)((m->ptx->vars[var].size + 3) / 4);
}

static sl_step switch_frame(sl_warp *w, sl_frame *f, uint32_t pc) {
  sl__split(w)->frame = f;
  w->bank[SL_BANK_REG] = f->regs;
  w->pc = pc;
  return sl__core(w)->n_splits > 1 ? SL_STEP_SPLIT : SL_STEP_JUMP;
}

static sl_step enter(sl_warp *w, const sl_xinsn *i, const sl_func *fn) {
  const sl_callinfo *ci = i->ext;
  const sl_gmodule *m = w->grid->m;
  if (fn->builtin) return sl__call_builtin(w, i, fn);
  if (fn->ir->is_extern || fn->ir->n_params != ci->n_arg || fn->ir->n_rets != ci->n_ret) {
    sl__finding_at(w, i, __builtin_ctz(w->mask), SL_FOUND_KERNEL_ILLEGAL, "call of %s, which %s",
                   fn->ir->name,
                   fn->ir->is_extern ? "is not defined in this program" : "takes other parameters");
    return SL_STEP_FAULT;
  }
  sl_frame *f = sl__frame_enter(sl__core(w), fn, sl__split(w)->frame, i, w->mask);
  if (!f) {
    char name[128];
    sl_demangle(fn->ir->name, name, sizeof name);
    sl__finding_at(w, i, __builtin_ctz(w->mask), SL_FOUND_STACK_OVERFLOW, "%s, at the call of %s",
                   sl__frame_refusal(sl__core(w), fn, sl__split(w)->frame), name);
    return SL_STEP_FAULT;
  }
  for (uint32_t k = 0; k < ci->n_arg; k++) {
    uint32_t formal = words_of(m, fn->ir->params[k]), n = ci->v[k].words < formal ? ci->v[k].words : formal;
    copy_words(w, f->regs + m->var_addr[fn->ir->params[k]] * 32, w->bank[SL_BANK_REG] + ci->v[k].slot, n);
  }
  if (fn->n_spills) sl__frame_spill(sl__core(w), f, w->mask);
  if (fn->n_unset && w->grid->heard) sl__probes_call(w, f, w->mask);
  return switch_frame(w, f, fn->first_pc);
}

static sl_step call_direct(sl_warp *w, const sl_xinsn *i) {
  return enter(w, i, &w->grid->m->funcs[i->target]);
}

static sl_step call_indirect(sl_warp *w, const sl_xinsn *i) {
  const uint64_t *to = sl__u64(w, i->s[0]);
  int first = __builtin_ctz(w->mask);
  uint64_t a = to[first], k = (a - SL_FUNC_TAG) / 16 - 1;
  uint32_t others = 0;
  for (int l = 0; l < SL_LANES; l++)
    if ((w->mask >> l) & 1 && to[l] != a) others |= 1u << l;
  if (a < SL_FUNC_TAG + 16 || a % 16 || k >= w->grid->m->ptx->n_funcs || w->grid->m->ptx->funcs[k].is_entry) {
    sl__finding_at(w, i, first, SL_FOUND_KERNEL_ILLEGAL, "call through 0x%llx, which is no device function",
                   (unsigned long long)a);
    return SL_STEP_FAULT;
  }
  put_off(w, i, others);
  return enter(w, i, &w->grid->m->funcs[k]);
}

static sl_step op_exit(sl_warp *w, const sl_xinsn *) {
  sl__retire(w, w->mask);
  return SL_STEP_EXIT;
}

sl_step sl__op_ret(sl_warp *w, const sl_xinsn *i) {
  sl_frame *f = sl__split(w)->frame, *up = f->parent;
  const sl_gmodule *m = w->grid->m;
  if (!up) return op_exit(w, i);
  const sl_callinfo *ci = f->call->ext;
  for (uint32_t k = 0; k < ci->n_ret; k++) {
    uint32_t formal = words_of(m, f->fn->ir->rets[k]),
             n = ci->v[ci->n_arg + k].words < formal ? ci->v[ci->n_arg + k].words : formal;
    copy_words(w, up->regs + ci->v[ci->n_arg + k].slot, f->regs + m->var_addr[f->fn->ir->rets[k]] * 32, n);
  }
  uint32_t back = sl__pc(w, f->call) + 1;
  sl__frame_leave(sl__core(w), f, w->mask);
  return switch_frame(w, up, back);
}

// Does the kernel use the workspace of cooperative launches, and this launch is none?
static bool lacks_workspace(const sl_grid *g) {
  const sl_ptx_func *f = g->k->fn->ir;
  for (uint32_t k = 0; k < f->n_insns && !g->l->cooperative; k++)
    for (uint32_t o = 0; o < f->insns[k].n_ops; o++)
      if (f->insns[k].ops[o].kind == SL_O_SREG && f->insns[k].ops[o].sreg == SL_SR_envreg1) return true;
  return false;
}

static sl_step op_trap(sl_warp *w, const sl_xinsn *i) {
  const bool grid = lacks_workspace(w->grid);
  sl_gpu *g = w->grid->gpu;
  sl__finding_at(w, i, __builtin_ctz(w->mask), SL_FOUND_KERNEL_TRAP, "the kernel executed a trap%s",
                 grid ? ": it asks for the grid, and the launch is not cooperative" : "");
  if (grid && g->n_findings)
    snprintf(g->findings[g->n_findings - 1].advice, sizeof g->findings->advice,
             "grid.sync() works in a cooperative launch alone: start the kernel by "
             "cudaLaunchCooperativeKernel instead of <<<>>>");
  return SL_STEP_FAULT;
}

static bool add_param(sl_decoder *dc, const sl_operand *o, sl_callinfo *ci, uint32_t at) {
  if (o->kind != SL_O_VAR || dc->m->ptx->vars[o->var].space != SL_SP_PARAM) return false;
  ci->v[at].slot = sl__param_slot(dc, dc->m->var_addr[o->var]);
  ci->v[at].words = words_of(dc->m, o->var);
  return true;
}

static bool decode_call(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  sl_callinfo *ci = sl__decode_alloc(dc, sizeof *ci + (in->n_arg + in->n_ret + 1) * sizeof ci->v[0]);
  ci->n_arg = in->n_arg, ci->n_ret = in->n_ret;
  for (uint32_t k = 0; k < in->n_arg + in->n_ret; k++) {
    uint32_t at = k < in->n_arg ? in->arg_first + k : in->ret_first + k - in->n_arg;
    if (!add_param(dc, &dc->f->elems[at], ci, k))
      return sl__refuse(dc, in, "arguments of calls must be .param variables");
  }
  x->ext = ci;
  if (in->ops[0].kind == SL_O_REG) {
    x->fn = call_indirect;
    return sl__src(dc, &in->ops[0], SL_M_b64, &x->s[0]) ||
           sl__refuse(dc, in, "the callee is no 64-bit register");
  }
  if (in->ops[0].kind != SL_O_FUNC) return sl__refuse(dc, in, "the callee is no function");
  const sl_func *fn = &dc->m->funcs[in->ops[0].func];
  if (fn->ir->is_extern && !fn->builtin && strncmp(fn->ir->name, "__cudaCDP", 9) == 0)
    return sl__refuse(dc, in, "a kernel launches a kernel or asks the runtime (%s): only the host can",
                      fn->ir->name);
  if (fn->ir->is_extern && !fn->builtin)
    return sl__refuse(dc, in, "%s is of another file; device code is not linked here: %s", fn->ir->name,
                      SL_ONE_FILE);
  x->fn = call_direct;
  x->target = in->ops[0].func;
  return true;
}

bool sl__decode_ctl(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  switch ((sl_ptx_op)in->op) {
  case SL_OP_bra: x->fn = jump_forward; return in->n_ops == 1 && in->ops[0].kind == SL_O_LABEL;
  case SL_OP_brx:
    x->fn = branch_table;
    x->aux = in->n_targets;
    x->ext = sl__decode_alloc(dc, (in->n_targets + 1) * sizeof(uint32_t));
    return in->n_targets > 0 && sl__src(dc, &in->ops[0], SL_M_u32, &x->s[0]);
  case SL_OP_call: return decode_call(dc, in, x);
  case SL_OP_ret: x->fn = sl__op_ret; return true;
  case SL_OP_exit: x->fn = op_exit; return true;
  case SL_OP_trap:
  case SL_OP_brkpt: x->fn = op_trap; return true;
  default: return sl__refuse(dc, in, "this control instruction is not supported");
  }
}
