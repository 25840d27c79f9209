// The code that workers run: a copy of the module's, in which a handler of this file stands before each
// atomic on global memory: it marks additions whose order does not matter, and stops the worker at the
// others. Interface: sl__marking_code (parallel.h).
//
// resolve.c and op_mem.c mark loads, stores and copies where they check addresses. They also notice an atomic
// that is not known here; a launch with one is taken back. Calls of the device runtime (printf, malloc,
// assert) and clocks stop the worker by themselves: op_extern.c, op_misc.c.
#include "engine/parallel.h"
#include "engine/probe.h"

static const sl_xinsn *original(const sl_warp *w, const sl_xinsn *i) {
  return &w->grid->m->code[i - w->grid->code];
}

static sl_op_fn handler_of(const sl_warp *w, const sl_xinsn *i) {
  return *sl__handler_place((sl_xinsn *)original(w, i));
}

static sl_step go_on(sl_warp *w, const sl_xinsn *i) { return handler_of(w, i)(w, i); }

// Would the access succeed? If not, it is a fault, which stops the worker anyway.
static bool inside(sl_warp *w, const sl_memop *op, uint64_t a, uint64_t bytes) {
  sl_range *r = &w->grid->cache[op->cache];
  return (r->size >= bytes && a - r->base <= r->size - bytes) ||
         sl__range_lookup(w, r, a, (uint32_t)bytes, op->write);
}

// Addresses below global memory belong to other spaces.
static uint32_t lanes_inside(sl_warp *w, const sl_memop *op, const uint64_t *a) {
  uint32_t lanes = 0;
  SL_FOR_LANES(l, w->mask) {
    if (a[l] >= SL_GLOBAL_BASE && inside(w, op, a[l], op->bytes)) lanes |= 1u << l;
  }
  return lanes;
}

// Is it an addition whose order does not matter? Several blocks add whole numbers to a word, and the sum is
// the same in any order; nobody reads the old values, which do depend on it. All additions have one width and
// sign, so that they add to the same word.
static sl_step mark_addition(sl_warp *w, const sl_xinsn *i) {
  sl_marks *marks = &w->grid->worker->marks;
  sl_op_fn kind = handler_of(w, i);
  const sl_memop *op = i->ext;
  uint64_t a[SL_LANES];
  if (marks->adding && marks->adding != kind) return SL_STEP_FAULT;
  marks->adding = kind;
  sl__addresses(w, i, a);
  sl__mark_lanes(marks, a, lanes_inside(w, op, a), op->bytes, SL_MARK_ADDED);
  marks->marked = true;
  sl_step s = go_on(w, i);
  marks->marked = false;
  return s;
}

static sl_step stop_worker(sl_warp *, const sl_xinsn *) { return SL_STEP_FAULT; }

static sl_step stop_if_global(sl_warp *w, const sl_xinsn *i) {
  const uint64_t *a = sl__u64(w, i->s[0]);
  SL_FOR_LANES(l, w->mask)
    if (a[l] + (uint64_t)i->imm >= SL_GLOBAL_BASE) return SL_STEP_FAULT;
  return go_on(w, i);
}

static bool is_addition(const sl_ptx_func *f, const sl_ptx_insn *in) {
  sl_ptx_mod type = sl__type_mod(in);
  bool whole = type == SL_M_u32 || type == SL_M_s32 || type == SL_M_u64 || type == SL_M_s64;
  if (!whole || !sl_ptx_has_mod(in, SL_M_add)) return false;
  return !sl_ptx_does(in, SL_DOES_RESULT) || !sl__is_read(f, &in->ops[0]);
}

static bool has_address(const sl_ptx_insn *in) {
  for (uint32_t k = 0; k < in->n_ops; k++)
    if (in->ops[k].kind == SL_O_MEM) return true;
  return false;
}

// The handler that stands before an instruction; NULL: none.
static sl_op_fn handler_before(const sl_ptx_func *f, const sl_ptx_insn *in) {
  sl_space sp = sl__space_mod(in);
  bool atomic = sl_ptx_action(in) == SL_ACT_UPDATE || sl_ptx_does(in, SL_DOES_MBARRIER);
  if (!has_address(in)) return NULL;
  if (sl_ptx_action(in) == SL_ACT_LOAD && sl__is_strong(in))
    return sp == SL_SP_GLOBAL ? stop_worker : stop_if_global;
  if (!atomic || (sp != SL_SP_NONE && sp != SL_SP_GLOBAL)) return NULL;
  return is_addition(f, in) ? mark_addition : sp == SL_SP_GLOBAL ? stop_worker : stop_if_global;
}

const sl_xinsn *sl__marking_code(sl_gmodule *m) {
  if (m->marking) return m->marking;
  sl_xinsn *code = malloc((m->n_code + 1) * sizeof *code);
  if (!code) return NULL;
  memcpy(code, m->code, m->n_code * sizeof *code);
  for (uint32_t pc = 0; pc < m->n_code; pc++) {
    const sl_func *fn = NULL;
    const sl_ptx_insn *in = sl__insn_of(m, &m->code[pc], &fn);
    sl_op_fn handler = in && fn && !code[pc].unwritten ? handler_before(fn->ir, in) : NULL;
    if (!handler) continue;
    if (handler == mark_addition) code[pc].d = SL_NO_SLOT;
    *sl__handler_place(&code[pc]) = handler;
  }
  return m->marking = code;
}
