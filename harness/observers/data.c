// Work on the data: how many operations the threads of a launch execute on values that come from the judge's
// arrays.
//
// A scan operates on the data only where the algorithm has an addition: indices do not depend on the data. So
// work cannot hide. However it is written (adders of xor and and, integers that stand for floats, sums looked
// up in tables, packed halves), it takes operations on the data; each lane of each operation counts one in
// data_ops. Data are values loaded from an allocation that another program shares (the judge's arrays), and
// every result of data, through registers, calls, shared, local and global memory and from launch to launch.
// Moving is free: loads, stores, shuffles, conversions, selections that data do not decide.  To be on the
// safe side, a copy within the device writes data, and makes constants data; a vote or a shuffle passes on
// the data of any lane; after cp.async all shared memory is data; after a jump through a table or a call that
// data chose, everything is; once a kernel has allocated memory as data said, the places that malloc gives
// are data. Interface: sl__data_after, sl__data_wrote (meter.h).
#include "observers/undefined.h"
#include "observers/meter.h"

#include <stdlib.h>

enum {
  EVERYTHING = UINT32_MAX /* a register that stands for all */,
  REDUCTION = 4096 /* operations, of bulk memory */
};

typedef struct sl_data_marks {
  sl_table regs;   // (frame, register or SL_UNDEF_PARAM | word): lanes
  sl_table memory; // (address of a word, 0: global, else whose): one byte
  bool all_shared;
  bool copied;   // something within the device: constants may hold data
  bool all_heap; // the addresses that malloc gives in kernels
} sl_data_marks;

typedef struct sl_data_flow {
  sl_data_marks *m;
  const sl_executed *x;
  const sl_ptx_func *f;
  const sl_ptx_insn *in;
  uint32_t data; // lanes with an operand that is data
} sl_data_flow;

static sl_data_marks *marks_of(sl_gpu *g) {
  sl_data_marks **at = &sl__meter_gpu(g)->data;
  if (*at) return *at;
  if (!(*at = calloc(1, sizeof **at))) abort();
  (*at)->regs.value_bytes = sizeof(uint32_t);
  (*at)->memory.value_bytes = 1;
  return *at;
}

void sl__data_free(sl_gpu *g) {
  sl_data_marks *m = sl__meter_gpu(g)->data;
  sl__table_free(&sl__meter_gpu(g)->sums);
  if (!m) return;
  sl__table_free(&m->regs), sl__table_free(&m->memory);
  free(m);
  sl__meter_gpu(g)->data = NULL;
}

// Registers -------------------------------------------------------------------------------------------------

static uint32_t lanes_of(const sl_data_marks *m, const sl_frame *f, uint32_t reg) {
  const uint32_t *lanes = sl__table_find(&m->regs, (uintptr_t)f, reg);
  return lanes ? *lanes : 0;
}

uint32_t sl__data_lanes(const sl_executed *x, uint32_t reg) {
  const sl_data_marks *m = sl__meter_gpu(x->w->grid->gpu)->data;
  return m ? lanes_of(m, x->frame, reg) : 0;
}

static void mark_data(sl_data_marks *m, const sl_frame *f, uint32_t reg, uint32_t in, uint32_t data) {
  uint32_t *lanes = sl__table_find(&m->regs, (uintptr_t)f, reg);
  if (!lanes && (!(data & in) || !(lanes = sl__table_put(&m->regs, (uintptr_t)f, reg)))) return;
  *lanes = (*lanes & ~in) | (data & in);
}

static void use(void *ctx, uint32_t reg, bool is_def) {
  sl_data_flow *d = ctx;
  if (!is_def) d->data |= lanes_of(d->m, d->x->frame, reg);
}

static void define(void *ctx, uint32_t reg, bool is_def) {
  sl_data_flow *d = ctx;
  if (is_def) mark_data(d->m, d->x->frame, reg, d->x->lanes, d->data);
}

static uint32_t value_lanes(const sl_data_flow *d, const sl_operand *o) {
  uint32_t lanes = 0;
  if (o->kind == SL_O_REG) lanes = lanes_of(d->m, d->x->frame, o->reg);
  for (uint32_t k = 0; o->kind == SL_O_VEC && k < o->n_elems; k++)
    lanes |= value_lanes(d, &d->f->elems[o->first + k]);
  return lanes;
}

// Memory ----------------------------------------------------------------------------------------------------

// The space of a lane's address; sets the key of its word in the table.
static uint8_t executed_place(const sl_executed *x, uint32_t lane, uint64_t *at, uint64_t *owner) {
  const sl_memop *op = x->i->ext;
  uint64_t a = x->addr[lane], block = (x->w->block->linear + 1) << 16;
  bool local = op->space == SL_SP_LOCAL || a - SL_LOCAL_BASE < 1ull << 32;
  bool shared = op->space == SL_SP_SHARED || a - SL_SHARED_BASE < 1ull << 32;
  *at = (uint32_t)a & ~3u;
  *owner = local ? block | (1 + sl__thread_of(x->w, lane)) : block;
  if (local || shared) return local ? SL_SP_LOCAL : SL_SP_SHARED;
  *at = a & ~3ull, *owner = 0;
  return SL_SP_GLOBAL;
}

static bool is_data(const sl_data_flow *d, uint32_t lane) {
  uint64_t at, owner;
  uint8_t space = executed_place(d->x, lane, &at, &owner);
  if (space == SL_SP_SHARED && d->m->all_shared) return true;
  const sl_alloc *a = space == SL_SP_GLOBAL ? sl__memory_find(&d->x->w->grid->gpu->mem, at) : NULL;
  if (a && a->n_with) return true;
  for (uint32_t k = 0; k < ((const sl_memop *)d->x->i->ext)->bytes; k += 4) {
    const uint8_t *word = sl__table_find(&d->m->memory, at + k, owner);
    if (word && *word) return true;
  }
  return false;
}

static uint32_t memory_lanes(const sl_data_flow *d) {
  uint32_t lanes = 0;
  for (uint32_t m = d->x->lanes; m; m &= m - 1)
    if (is_data(d, (uint32_t)__builtin_ctz(m))) lanes |= m & -m;
  return lanes;
}

static void set_word(sl_data_marks *m, uint64_t at, uint64_t owner, bool data) {
  uint8_t *word = data ? sl__table_put(&m->memory, at, owner) : sl__table_find(&m->memory, at, owner);
  if (word) *word = data;
}

static void store_data(const sl_data_flow *d, uint32_t data) {
  uint64_t at, owner;
  for (uint32_t m = d->x->lanes; m; m &= m - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(m);
    executed_place(d->x, l, &at, &owner);
    for (uint32_t k = 0; k < ((const sl_memop *)d->x->i->ext)->bytes; k += 4)
      set_word(d->m, at + k, owner, data >> l & 1);
  }
}

void sl__data_wrote(sl_gpu *g, uint64_t addr, uint64_t len, bool copied) {
  const sl_data_marks *old = sl__meter_gpu(g)->data;
  if (copied ? !(g->cfg.record & SL_RECORD_DATA) : !old || !old->memory.n) return;
  sl_data_marks *m = marks_of(g);
  m->copied |= copied;
  for (uint64_t at = addr & ~3ull; at < addr + len; at += 4) set_word(m, at, 0, copied);
}

// Instructions ----------------------------------------------------------------------------------------------

// Each returns the lanes that operated on data.

static uint32_t access(sl_data_flow *d) {
  uint32_t base = 0, value = 0, held = 0;
  sl_action action = sl_ptx_action(d->in);
  for (uint32_t k = 0; k < d->in->n_ops; k++) {
    const sl_operand *o = &d->in->ops[k];
    if (o->kind == SL_O_MEM && o->base_kind == SL_O_REG) base |= lanes_of(d->m, d->x->frame, o->reg);
    else if (k || !sl_ptx_writes_first(d->in)) value |= value_lanes(d, o);
  }
  if (action != SL_ACT_STORE) held = memory_lanes(d);
  if (action != SL_ACT_LOAD) store_data(d, base | value | held);
  d->data |= base | value | held;
  sl__visit_regs(d->f, d->in, define, d);
  return action == SL_ACT_UPDATE ? d->data : base;
}

// The words of a parameter of a call: marks of the frame that has them.
static void param(sl_data_flow *d) {
  sl_param_words p;
  if (!sl__param_words(d->x->w, d->f, d->in, d->x->frame, &p)) return;
  if (p.write) d->data |= value_lanes(d, p.value);
  for (uint64_t k = p.at / 4; k <= (p.at + p.n * p.size - 1) / 4; k++) {
    uint32_t key = SL_UNDEF_PARAM | (uint32_t)k;
    if (p.write) mark_data(d->m, p.frame, key, d->x->lanes, d->data);
    else d->data |= lanes_of(d->m, p.frame, key);
  }
  if (!p.write) sl__visit_regs(d->f, d->in, define, d);
}

// Does the instruction only move a value, or change its type?
static bool only_moves(const sl_ptx_insn *in) {
  sl_value_flow flow = sl_ptx_flow(in);
  return flow == SL_FLOW_MEMORY || (flow == SL_FLOW_MOVES && in->n_ops <= 2);
}

static bool joins_lanes(const sl_ptx_insn *in) {
  return sl_ptx_flow(in) == SL_FLOW_JOINS || sl_ptx_flow(in) == SL_FLOW_EXCHANGES;
}

static uint32_t registers(sl_data_flow *d) {
  const sl_ptx_insn *in = d->in;
  uint32_t decides = 0, all = d->x->lanes;
  sl__visit_regs(d->f, in, use, d);
  // Only copies write constants: one may have put data there.
  if (sl_ptx_action(in) == SL_ACT_LOAD && d->m->copied) d->data = d->x->lanes;
  if (sl_ptx_flow(in) == SL_FLOW_EXCHANGES) decides = in->n_ops > 2 ? value_lanes(d, &in->ops[2]) : 0;
  else if (in->op == SL_OP_selp) decides = value_lanes(d, &in->ops[3]);
  else if (!only_moves(in)) decides = d->data;
  if (joins_lanes(in) && d->data & all) d->data = all;
  sl__visit_regs(d->f, in, define, d);
  return decides;
}

// The lanes in which a call learns more from data than its parameters say: which function a register names,
// and what it takes or gives in registers. nvcc writes no call with such operands; marks follow variables.
static uint32_t called_by_data(const sl_data_flow *d) {
  uint32_t lanes = value_lanes(d, &d->in->ops[0]);
  for (uint32_t k = 0; k < d->in->n_arg; k++) lanes |= value_lanes(d, &d->f->elems[d->in->arg_first + k]);
  for (uint32_t k = 0; k < d->in->n_ret; k++)
    if (d->f->elems[d->in->ret_first + k].kind == SL_O_REG) lanes = d->x->mask;
  return lanes;
}

// Branches: a jump through a table, and some calls, learn more than one bit.
static uint32_t control(sl_data_flow *d) {
  sl__visit_regs(d->f, d->in, use, d);
  if (sl_ptx_does(d->in, SL_DOES_END)) return 0;
  uint32_t more = sl_ptx_does(d->in, SL_DOES_BRANCH_BY_TABLE) ? d->data
                  : sl_ptx_does(d->in, SL_DOES_CALL)          ? called_by_data(d)
                                                              : 0;
  if (more & d->x->mask) mark_data(d->m, (void *)d->x->w, EVERYTHING, d->x->mask, more);
  return d->data;
}

// The words of a parameter of a call, from [first] on; returns how many.
static uint32_t words_of(const sl_data_flow *d, const sl_operand *o, uint32_t *first) {
  const sl_gmodule *m = d->x->w->grid->m;
  if (o->kind != SL_O_VAR) return 0;
  *first = SL_UNDEF_PARAM | (uint32_t)(m->var_addr[o->var] / 4);
  return (uint32_t)((m->ptx->vars[o->var].size + 3) / 4);
}

// A function of the device's runtime has run: the instruction was a call, and entered no frame.
static void runtime_call(sl_data_flow *d) {
  const sl_operand *args = d->f->elems + d->in->arg_first, *rets = d->f->elems + d->in->ret_first;
  uint32_t lanes = d->x->lanes, at = 0;
  for (uint32_t k = 0; k < d->in->n_arg; k++)
    for (uint32_t n = words_of(d, &args[k], &at); n--; at++)
      d->m->all_heap |= (lanes_of(d->m, d->x->frame, at) & lanes) != 0;
  for (uint32_t k = 0; k < d->in->n_ret; k++)
    for (uint32_t n = words_of(d, &rets[k], &at); n--; at++)
      mark_data(d->m, d->x->frame, at, lanes, d->m->all_heap ? lanes : 0);
}

static uint64_t operations(sl_data_flow *d) {
  const sl_executed *x = d->x;
  bool steers = sl_ptx_flow(d->in) == SL_FLOW_DECIDES, copies = sl_ptx_does(d->in, SL_DOES_COPY);
  uint32_t decided = 0;
  if (x->cell->access) decided = access(d);
  else if (copies) d->m->all_shared = true;
  else if (sl_ptx_does(d->in, SL_DOES_UPDATE) && sl__space_mod(d->in) == SL_SP_PARAM) param(d);
  else decided = steers ? control(d) : registers(d);
  if (d->in->guard && !steers) decided |= lanes_of(d->m, x->frame, d->in->guard - 1);
  if (copies && sl_ptx_has_mod(d->in, SL_M_reduce)) return REDUCTION;
  return (uint64_t)__builtin_popcount(decided & x->lanes);
}

// A function has been entered: its frame reuses the place of one that has returned, and starts without marks.
static void forget_registers(sl_data_flow *d) {
  const sl_frame *now = sl__split(d->x->w)->frame;
  for (uint32_t r = 0; now != d->x->frame && r < now->fn->ir->n_regs; r++)
    mark_data(d->m, now, r, d->x->lanes, 0), sl__dropped_forget(d->x->w->grid->gpu, now, r, d->x->lanes);
}

void sl__data_after(const sl_executed *x) {
  const sl_func *fn = NULL;
  sl_data_flow d = {.m = marks_of(x->w->grid->gpu), .x = x};
  d.in = sl__insn_of(x->w->grid->m, x->i, &fn);
  d.f = fn->ir;
  d.data = lanes_of(d.m, (const void *)x->w, EVERYTHING);
  if (d.in->guard) d.data |= lanes_of(d.m, x->frame, d.in->guard - 1);
  sl__dropped_after(x, d.f);
  x->w->grid->cnt->data_ops += operations(&d);
  if (!sl_ptx_does(d.in, SL_DOES_CALL)) return;
  if (sl__split(x->w)->frame == x->frame) runtime_call(&d);
  else forget_registers(&d);
}
