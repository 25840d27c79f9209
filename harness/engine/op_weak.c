// Loads, stores, atomics and fences under weak store visibility: handlers that stand before the ordinary ones
// while a kernel runs with --visibility weak. With strong visibility they are not in the code.
//
// Accesses of block scope (.cta) are plain here, as a block sees its own stores at once.
#include "engine/weak.h"
#include "engine/probe.h"

typedef enum sl_weak_kind {
  NOTHING,
  LOAD,
  STORE,
  ATOMIC,
  COPY,
  BULK,
  GROUP,
  REPORT,
  PHASE,
  FENCE,
  KINDS
} sl_weak_kind;

struct sl_weak_insn {
  uint8_t kind, flags;
};

static uint8_t flags_here(const sl_warp *w, const sl_xinsn *i) {
  return w->grid->m->weak[sl__pc(w, i)].flags;
}

// The ordinary handler.
static sl_op_fn ordinary(const sl_warp *w, const sl_xinsn *i) {
  return sl__patch_at(w, i)->below[SL_LAYER_WEAK];
}

static bool is_global(uint64_t a) { return a - SL_GLOBAL_BASE < SL_GLOBAL_SIZE; }

// Device address of a resolved access; 0: not global memory.
static uint64_t address_of(const sl_warp *w, const uint8_t *p) {
  const sl_memory *m = &w->grid->gpu->mem;
  uint64_t off = (uint64_t)((uintptr_t)p - (uintptr_t)m->map);
  return off < m->size ? SL_GLOBAL_BASE + off : 0;
}

static void move_all(sl_warp *w, const sl_memop *op, uint8_t **p) {
  for (uint32_t k = 0; k < op->n; k++)
    if (op->elem[k] != SL_NO_SLOT) op->move(w, op->elem[k], p, k * op->elem_bytes);
}

static bool is_plain(uint8_t flags) { return !(flags & SL_IS_STRONG) || flags & SL_IS_CTA; }

static void before_access(sl_warp *w, uint8_t flags) {
  if (flags & SL_IS_RELEASE) sl__weak_release(w, flags & SL_IS_CTA);
}

static void after(sl_warp *w, uint8_t flags) {
  if (flags & SL_IS_ACQUIRE && !(flags & SL_IS_CTA)) sl__weak_acquire(w);
}

static sl_step weak_load(sl_warp *w, const sl_xinsn *i) {
  const sl_memop *op = i->ext;
  uint8_t *p[SL_LANES], line[SL_LANES][SL_LINE] __attribute__((aligned(SL_LINE))), flags = flags_here(w, i);
  if (!op->resolve(w, i, p)) return SL_STEP_FAULT;
  SL_FOR_LANES(l, w->mask) {
    uint64_t a = address_of(w, p[l]);
    if (!a) continue;
    if (is_plain(flags)) p[l] = (uint8_t *)sl__weak_load(w, a, op->bytes, line[l]);
    else sl__weak_settle(w->block, a, op->bytes), sl__weak_passes(w->block);
  }
  move_all(w, op, p);
  after(w, flags);
  return SL_STEP;
}

// Strong stores are atomic, but any later load may come before others see them.
static sl_step weak_store(sl_warp *w, const sl_xinsn *i) {
  const sl_memop *op = i->ext;
  uint8_t *p[SL_LANES], value[SL_LANES][SL_LINE] __attribute__((aligned(SL_LINE))), flags = flags_here(w, i);
  uint64_t a[SL_LANES];
  if (!op->resolve(w, i, p)) return SL_STEP_FAULT;
  before_access(w, flags);
  SL_FOR_LANES(l, w->mask) {
    if ((a[l] = address_of(w, p[l]))) p[l] = value[l];
  }
  move_all(w, op, p);
  SL_FOR_LANES(l, w->mask) {
    if (a[l]) sl__weak_store(w, a[l], value[l], op->bytes);
  }
  w->grid->writes++;
  return SL_STEP;
}

static sl_step weak_atomic(sl_warp *w, const sl_xinsn *i) {
  const sl_memop *op = i->ext;
  uint8_t *p[SL_LANES], old[SL_LANES][SL_LINE], flags = flags_here(w, i);
  uint64_t a[SL_LANES];
  if (!op->resolve(w, i, p)) return SL_STEP_FAULT;
  before_access(w, flags);
  SL_FOR_LANES(l, w->mask) {
    if (!(a[l] = address_of(w, p[l]))) continue;
    sl__weak_settle(w->block, a[l], op->bytes);
    memcpy(old[l], p[l], op->bytes);
  }
  sl_step s = ordinary(w, i)(w, i);
  SL_FOR_LANES(l, w->mask) {
    if (a[l] && memcmp(old[l], p[l], op->bytes))
      sl__weak_changed(w->grid, w->block->linear, a[l], old[l], op->bytes);
  }
  after(w, flags);
  return s;
}

// cp.async reads memory as it is now; the block's own stores come first.
static sl_step weak_copy(sl_warp *w, const sl_xinsn *i) {
  const sl_copy *c = i->ext;
  SL_FOR_LANES(l, w->mask) {
    uint64_t a = sl__u64(w, c->from.s[0])[l] + (uint64_t)c->from.imm;
    if (is_global(a)) sl__weak_settle(w->block, a, c->bytes);
  }
  return sl__late_copy(w, i, ordinary(w, i));
}

static sl_step weak_bulk(sl_warp *w, const sl_xinsn *i) { return sl__late_bulk(w, i, ordinary(w, i)); }
static sl_step weak_group(sl_warp *w, const sl_xinsn *i) { return sl__late_group(w, i, ordinary(w, i)); }
static sl_step weak_report(sl_warp *w, const sl_xinsn *i) { return sl__late_report(w, i, ordinary(w, i)); }
static sl_step weak_phase(sl_warp *w, const sl_xinsn *i) { return sl__late_phase(w, i, ordinary(w, i)); }

static sl_step weak_fence(sl_warp *w, const sl_xinsn *i) {
  uint8_t flags = flags_here(w, i);
  sl__weak_release(w, flags & SL_IS_CTA);
  if (!(flags & SL_IS_CTA)) sl__weak_acquire(w);
  return ordinary(w, i)(w, i);
}

// Putting the handlers in -----------------------------------------------------------------------------------

static const sl_op_fn HANDLERS[KINDS] = {[LOAD] = weak_load,     [STORE] = weak_store, [ATOMIC] = weak_atomic,
                                         [COPY] = weak_copy,     [BULK] = weak_bulk,   [GROUP] = weak_group,
                                         [REPORT] = weak_report, [PHASE] = weak_phase, [FENCE] = weak_fence};

static const uint8_t KIND_OF[SL_ACT_COUNT_] = {
    [SL_ACT_LOAD] = LOAD,     [SL_ACT_STORE] = STORE,     [SL_ACT_UPDATE] = ATOMIC,
    [SL_ACT_COPY] = COPY,     [SL_ACT_BULK] = BULK,       [SL_ACT_GROUP] = GROUP,
    [SL_ACT_REPORT] = REPORT, [SL_ACT_MBAR_WAIT] = PHASE, [SL_ACT_FENCE] = FENCE};

// Only bulk copies that report to an mbarrier are late; groups of them are not.
static uint8_t weak_kind_of(const sl_ptx_insn *in) {
  uint8_t kind = KIND_OF[sl_ptx_action(in)];
  sl_space sp = sl__space_mod(in);
  if (kind == LOAD || kind == STORE || kind == ATOMIC)
    return sp == SL_SP_NONE || sp == SL_SP_GLOBAL ? kind : NOTHING;
  return kind == GROUP && sl_ptx_has_mod(in, SL_M_bulk) ? NOTHING : kind;
}

// Loads that bypass the cache see memory as it is.
static uint8_t flags_of(const sl_ptx_insn *in) {
  bool past_cache = sl_ptx_has_mod(in, SL_M_cg) || sl_ptx_has_mod(in, SL_M_cv);
  return sl__order_flags(in) | (sl_ptx_action(in) == SL_ACT_LOAD && past_cache ? SL_IS_STRONG : 0);
}

static void look_at(sl_gmodule *m) {
  m->weak = sl_must(calloc(m->n_code + 1, sizeof *m->weak));
  for (uint32_t pc = 0; pc < m->n_code; pc++) {
    const sl_func *fn = NULL;
    const sl_ptx_insn *in = sl__insn_of(m, &m->code[pc], &fn);
    if (!in || !fn || m->code[pc].unwritten) continue;
    m->weak[pc] = (struct sl_weak_insn){weak_kind_of(in), flags_of(in)};
  }
}

sl_op_fn sl__weak_handler(sl_gmodule *m, uint32_t pc) {
  if (!m->weak) look_at(m);
  return HANDLERS[m->weak[pc].kind];
}
