// The one walk that follows values while a kernel runs: from the operands of an executed instruction to its
// destinations, as its row in ops.def says. It serves every kind of marks.
//
// Most results get the marks of all operands. A choice (selp) and a shuffle pass on what they take, for kinds
// that want to be exact. An address and a guard are told apart from values: they may decide something. Calls
// carry marks from frame to frame by the words of their parameters.
//
// Interface: follow.h.
#include "observers/follow.h"

// Registers -------------------------------------------------------------------------------------------------

void sl__trail_begin(sl_trail *t, const sl_mark_kind *kind) {
  *t = (sl_trail){.kind = kind, .regs = {.value_bytes = kind->bytes, .limit = kind->limit}};
}

void sl__trail_free(sl_trail *t) {
  sl__table_free(&t->regs);
  t->n = 0;
}

const void *sl__marks_at(const sl_trail *t, const void *frame, uint32_t reg) {
  const uint32_t *lanes = t->n ? sl__table_find(&t->regs, (uintptr_t)frame, reg) : NULL;
  return lanes && *lanes ? lanes : NULL;
}

static void replace_lanes(const sl_mark_kind *kind, void *to, const void *from, uint32_t lanes) {
  uint32_t size = kind->lane_bytes;
  SL_FOR_LANES(l, size ? lanes : 0) {
    size_t at = kind->lane_at + (size_t)l * size;
    memcpy((char *)to + at, (const char *)from + at, size);
  }
}

void sl__marks_set(sl_trail *t, const void *frame, uint32_t reg, uint32_t lanes, const void *to) {
  uint32_t *old = t->n ? sl__table_find(&t->regs, (uintptr_t)frame, reg) : NULL,
           now = *(const uint32_t *)to & lanes;
  if (!old && (!now || !(old = sl__table_put(&t->regs, (uintptr_t)frame, reg)))) return;
  bool before = *old;
  *old = (*old & ~lanes) | now;
  replace_lanes(t->kind, old, to, now);
  if (t->kind->assign) t->kind->assign(old, to, lanes);
  t->n += (*old != 0) - before;
}

void sl__trail_enter(sl_trail *t, const sl_flowing *x) {
  const sl_frame *now = sl__split(x->w)->frame;
  static const char none[SL_MARKS_MOST] = {0};
  for (uint32_t r = 0; t->n && now != x->frame && r < now->fn->ir->n_regs; r++)
    sl__marks_set(t, now, r, x->lanes, none);
}

// Operands --------------------------------------------------------------------------------------------------

static const void *look_at(sl_flowing *x, const void *frame, uint32_t reg, sl_use use) {
  const uint32_t *m = sl__marks_at(x->trail, frame, reg);
  if (!m) return NULL;
  if (*m & x->lanes || !x->seen[use]) x->seen[use] = m;
  if (x->trail->kind->note) x->trail->kind->note(x, m);
  return m;
}

static void take_at(sl_flowing *x, const void *frame, uint32_t reg, sl_use use) {
  const sl_mark_kind *kind = x->trail->kind;
  const void *m = look_at(x, frame, reg, use);
  uint32_t lanes = !m ? 0 : kind->merge ? kind->merge(x, m) : *(const uint32_t *)m;
  x->used[use] |= lanes;
  *(uint32_t *)x->out |= lanes;
}

// The result gets the marks of an operand, whatever it is.
static void take(sl_flowing *x, const sl_operand *o, sl_use use) {
  if (o->kind == SL_O_REG) take_at(x, x->frame, o->reg, use);
  if (o->kind == SL_O_MEM && o->base_kind == SL_O_REG) take_at(x, x->frame, o->reg, use);
  for (uint32_t k = 0; o->kind == SL_O_VEC && k < o->n_elems; k++) take(x, &x->f->elems[o->first + k], use);
  if (o->pair && o->pair != UINT32_MAX) take_at(x, x->frame, o->pair - 1, use);
}

const void *sl__follow_look(sl_flowing *x, const sl_operand *o, sl_use use) {
  const uint32_t *m = o->kind == SL_O_REG ? look_at(x, x->frame, o->reg, use) : NULL;
  if (m) x->used[use] |= *m;
  return m;
}

// Lane [lane] of the result gets the marks of lane [from].
static void copy_lane(sl_flowing *x, uint32_t lane, const void *marks, uint32_t from) {
  const sl_mark_kind *kind = x->trail->kind;
  if (!marks || !(*(const uint32_t *)marks >> from & 1)) return;
  *(uint32_t *)x->out |= 1u << lane;
  memcpy((char *)x->out + kind->lane_at + (size_t)lane * kind->lane_bytes,
         (const char *)marks + kind->lane_at + (size_t)from * kind->lane_bytes, kind->lane_bytes);
}

// Instructions ----------------------------------------------------------------------------------------------

static uint32_t first_source(const sl_ptx_insn *in) { return sl_ptx_writes_first(in); }

void sl__follow_all(sl_flowing *x) {
  for (uint32_t k = first_source(x->in); k < x->in->n_ops; k++) take(x, &x->in->ops[k], SL_USE_VALUE);
  for (uint32_t k = 0; k < x->in->n_arg; k++) take(x, &x->f->elems[x->in->arg_first + k], SL_USE_VALUE);
}

static void flow_memory(sl_flowing *x) {
  for (uint32_t k = 0; k < x->in->n_ops; k++) {
    const sl_operand *o = &x->in->ops[k];
    sl_operand base = {.kind = SL_O_REG, .reg = o->reg};
    if (o->kind != SL_O_MEM && k >= first_source(x->in)) take(x, o, SL_USE_VALUE);
    if (o->kind == SL_O_MEM && o->base_kind == SL_O_REG) sl__follow_look(x, &base, SL_USE_ADDRESS);
  }
}

static void flow_choice(sl_flowing *x) {
  const sl_operand *o = &x->in->ops[1];
  if (x->trail->kind->exact) {
    uint32_t first = sl__pred_src(x->w, x->i, 2);
    const void *a = sl__follow_look(x, &o[0], SL_USE_VALUE), *b = sl__follow_look(x, &o[1], SL_USE_VALUE);
    for (uint32_t l = 0; l < SL_LANES; l++) copy_lane(x, l, first >> l & 1 ? a : b, l);
  } else take(x, &o[0], SL_USE_VALUE), take(x, &o[1], SL_USE_VALUE);
  take(x, &o[2], SL_USE_CHOICE);
}

static void flow_exchange(sl_flowing *x) {
  uint32_t from[SL_LANES];
  if (!x->trail->kind->exact) {
    for (uint32_t k = 1; k < x->in->n_ops; k++)
      take(x, &x->in->ops[k], k == 2 ? SL_USE_CHOICE : SL_USE_VALUE);
    return;
  }
  const void *m = sl__follow_look(x, &x->in->ops[1], SL_USE_VALUE);
  if (m) sl__shfl_sources(x->w, x->i, x->in, from);
  for (uint32_t l = 0; m && l < SL_LANES; l++) copy_lane(x, l, m, x->lanes >> from[l] & 1 ? from[l] : l);
}

// Parameters of calls ---------------------------------------------------------------------------------------
// Finds the word of the caller's frame that is passed as [var], or returned from it. Function [of] runs in
// frame [f]. False: [var] is a variable of the function's own.
static bool param_of_caller(const sl_warp *w, const sl_ptx_func *of, const sl_frame *f, uint32_t var,
                            uint32_t *theirs) {
  const sl_func *up = NULL;
  if (!f->parent || !f->call) return false;
  const sl_ptx_insn *call = sl__insn_of(w->grid->m, f->call, &up);
  for (uint32_t k = 0; k < of->n_params && k < call->n_arg; k++)
    if (of->params[k] == var) return *theirs = up->ir->elems[call->arg_first + k].var, true;
  for (uint32_t k = 0; k < of->n_rets && k < call->n_ret; k++)
    if (of->rets[k] == var) return *theirs = up->ir->elems[call->ret_first + k].var, true;
  return false;
}

static bool param_words(const sl_flowing *x, sl_param_words *out) {
  bool write = sl_ptx_action(x->in) == SL_ACT_STORE;
  const sl_operand *mem = &x->in->ops[write ? 0 : 1], *v = &x->in->ops[write ? 1 : 0];
  const sl_frame *f = x->frame;
  if (mem->kind != SL_O_MEM || mem->base_kind != SL_O_VAR || !f) return false;
  uint32_t var = mem->var;
  if (param_of_caller(x->w, x->f, f, mem->var, &var)) f = f->parent;
  *out = (sl_param_words){.frame = f,
                          .value = v,
                          .n = v->kind == SL_O_VEC ? v->n_elems : 1,
                          .size = sl_ptx_type_bits(sl__type_mod(x->in)) / 8,
                          .at = x->w->grid->m->var_addr[var] + (uint64_t)mem->imm,
                          .write = write};
  return true;
}

// Every word of a parameter gets the marks of the value, and the other way round. A value that is smaller
// than a word takes no marks away: they may be those of the word's other bytes.
static void flow_words(sl_flowing *x, const sl_param_words *p) {
  uint64_t first = p->at / 4, last = (p->at + p->n * p->size - 1) / 4;
  const bool partly = p->at % 4 || p->n * p->size % 4;
  if (p->write) take(x, p->value, SL_USE_VALUE);
  for (uint64_t k = first; k <= last; k++) {
    uint32_t word = SL_PARAM_WORD | (uint32_t)k;
    if (p->write)
      sl__marks_set(x->trail, p->frame, word, partly ? x->lanes & *(uint32_t *)x->out : x->lanes, x->out);
    else take_at(x, p->frame, word, SL_USE_VALUE);
  }
}

static bool is_param(const sl_ptx_insn *in) {
  return sl_ptx_does(in, SL_DOES_UPDATE) && sl__space_mod(in) == SL_SP_PARAM;
}

static void flow_param(sl_flowing *x) {
  sl_param_words p;
  if (!param_words(x, &p)) flow_memory(x);
  else if (x->trail->kind->param) x->trail->kind->param(x, &p);
  else flow_words(x, &p);
}

// The walk --------------------------------------------------------------------------------------------------

void sl__follow(sl_flowing *x) {
  const sl_mark_kind *kind = x->trail->kind;
  sl_value_flow flow = sl_ptx_flow(x->in);
  const bool param = is_param(x->in), guard = x->in->guard;
  if (guard && param) take_at(x, x->frame, x->in->guard - 1, SL_USE_GUARD);
  if (param) flow_param(x);
  else if (flow == SL_FLOW_MEMORY) flow_memory(x);
  else if (flow == SL_FLOW_EXCHANGES) flow_exchange(x);
  else if (x->in->op == SL_OP_selp) flow_choice(x);
  else if (!kind->compute || !kind->compute(x)) sl__follow_all(x);
  if (guard && !param) take_at(x, x->frame, x->in->guard - 1, SL_USE_GUARD);
}

static void put_def(void *ctx, uint32_t reg, bool is_def) {
  sl_flowing *x = ctx;
  if (is_def) sl__marks_set(x->trail, x->frame, reg, x->lanes, x->out);
}

void sl__follow_put(sl_flowing *x) { sl__visit_regs(x->f, x->in, put_def, x); }

uint64_t sl__word_owner(const sl_warp *w, uint8_t space, uint32_t lane) {
  uint64_t thread = space == SL_SP_LOCAL ? 1 + sl__thread_of(w, lane) : 0;
  return space == SL_SP_GLOBAL ? 0 : (w->block->linear + 1) << 16 | thread;
}
