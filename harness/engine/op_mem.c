// ld, st and prefetch. Call parameters are in op_param.c, cvta and cp.async in op_addr.c.
//
// resolve.c makes one host pointer a lane, then a loop of the element's width moves each element. Usually a
// whole warp touches consecutive words: then a short cut makes one check and one copy.
#include "engine/core.h"

// Moving elements -------------------------------------------------------------------------------------------

typedef void (*sl_move_fn)(sl_warp *w, sl_slot reg, uint8_t **p, uint32_t offset);

#define MOVE_IN(NAME, REG, MEM)                                                                              \
  static void NAME(sl_warp *w, sl_slot reg, uint8_t **p, uint32_t off) {                                     \
    REG *d = sl__at(w, reg);                                                                                 \
    if (w->full) {                                                                                           \
      for (int l = 0; l < SL_LANES; l++) d[l] = (REG) * (const MEM *)(void *)(p[l] + off);                   \
      return;                                                                                                \
    }                                                                                                        \
    SL_FOR_LANES(l, w->mask) {                                                                               \
      d[l] = (REG)__atomic_load_n((const MEM *)(void *)(p[l] + off), __ATOMIC_RELAXED);                      \
    }                                                                                                        \
  }
#define MOVE_OUT(NAME, REG, MEM)                                                                             \
  static void NAME(sl_warp *w, sl_slot reg, uint8_t **p, uint32_t off) {                                     \
    const REG *s = sl__at(w, reg);                                                                           \
    if (w->full) {                                                                                           \
      for (int l = 0; l < SL_LANES; l++) *(MEM *)(void *)(p[l] + off) = (MEM)s[l];                           \
      return;                                                                                                \
    }                                                                                                        \
    SL_FOR_LANES(l, w->mask) {                                                                               \
      __atomic_store_n((MEM *)(void *)(p[l] + off), (MEM)s[l], __ATOMIC_RELAXED);                            \
    }                                                                                                        \
  }
MOVE_IN(in_u8, uint32_t, uint8_t)
MOVE_IN(in_s8, uint32_t, int8_t)
MOVE_IN(in_u16, uint32_t, uint16_t)
MOVE_IN(in_s16, uint32_t, int16_t)
MOVE_IN(in_32, uint32_t, uint32_t)
MOVE_IN(in_u8w, uint64_t, uint8_t)
MOVE_IN(in_s8w, uint64_t, int8_t)
MOVE_IN(in_u16w, uint64_t, uint16_t)
MOVE_IN(in_s16w, uint64_t, int16_t)
MOVE_IN(in_32w, uint64_t, uint32_t)
MOVE_IN(in_s32w, uint64_t, int32_t)
MOVE_IN(in_64, uint64_t, uint64_t)
MOVE_OUT(out_8, uint32_t, uint8_t)
MOVE_OUT(out_16, uint32_t, uint16_t)
MOVE_OUT(out_32, uint32_t, uint32_t)
MOVE_OUT(out_8w, uint64_t, uint8_t)
MOVE_OUT(out_16w, uint64_t, uint16_t)
MOVE_OUT(out_32w, uint64_t, uint32_t)
MOVE_OUT(out_64, uint64_t, uint64_t)

// By log2 of the element's bytes, signedness, width of the register.
static const sl_move_fn IN[4][2][2] = {{{in_u8, in_u8w}, {in_s8, in_s8w}},
                                       {{in_u16, in_u16w}, {in_s16, in_s16w}},
                                       {{in_32, in_32w}, {in_32, in_s32w}},
                                       {{NULL, in_64}, {NULL, in_64}}};
static const sl_move_fn OUT[4][2] = {{out_8, out_8w}, {out_16, out_16w}, {out_32, out_32w}, {NULL, out_64}};

static sl_step load_any(sl_warp *w, const sl_xinsn *i) {
  const sl_memop *op = i->ext;
  uint8_t *p[SL_LANES];
  if (!op->resolve(w, i, p)) return SL_STEP_FAULT;
  for (uint32_t k = 0; k < op->n; k++)
    if (op->elem[k] != SL_NO_SLOT) op->move(w, op->elem[k], p, k * op->elem_bytes);
  return SL_STEP;
}

static sl_step store_any(sl_warp *w, const sl_xinsn *i) {
  const sl_memop *op = i->ext;
  uint8_t *p[SL_LANES];
  if (!op->resolve(w, i, p)) return SL_STEP_FAULT;
  for (uint32_t k = 0; k < op->n; k++) op->move(w, op->elem[k], p, k * op->elem_bytes);
  if (w->grid->costs && (op->orders || !(w->mask & (w->mask - 1)))) sl__path_store(w, i, p);
  w->grid->writes++;
  return SL_STEP;
}

// Strong accesses may be messages between blocks.
static sl_step load_strong(sl_warp *w, const sl_xinsn *i) {
  const sl_memop *op = i->ext;
  uint8_t *p[SL_LANES];
  sl_counters *c = w->grid->cnt;
  // under checks it turns on: a loop that gives up after so many turns is found only so
  if (!w->grid->gpu->cfg.checks && sl__looks_again(w, i)) return SL_STEP_YIELD;
  const uint64_t requests = c->global_ld_requests, sectors = c->global_ld_sectors, bytes = c->global_ld_bytes;
  if (!op->resolve(w, i, p)) return SL_STEP_FAULT;
  if (w->grid->costs && !sl__path_look(w, i, p)) // one more turn of a loop that polls
    c->global_ld_requests = requests, c->global_ld_sectors = sectors, c->global_ld_bytes = bytes;
  for (uint32_t k = 0; k < op->n; k++)
    if (op->elem[k] != SL_NO_SLOT) op->move(w, op->elem[k], p, k * op->elem_bytes);
  return SL_STEP;
}

// What a barrier or a lock of the block waits for.
static sl_step load_of_block(sl_warp *w, const sl_xinsn *i) {
  return sl__looks_again(w, i) ? SL_STEP_YIELD : load_any(w, i);
}

static bool waits_in_block(const sl_ptx_insn *in) {
  return sl_ptx_has_mod(in, SL_M_cta) &&
         (sl_ptx_has_mod(in, SL_M_acquire) || sl_ptx_has_mod(in, SL_M_relaxed));
}

// A store to local memory, which is the thread's own, is no progress: a loop that only writes there spins.
static sl_step store_local(sl_warp *w, const sl_xinsn *i) {
  uint64_t before = w->grid->writes;
  sl_step s = store_any(w, i);
  w->grid->writes = before;
  return s;
}

// The same for stores through generic addresses. Code that is not optimised stores all its variables so.
static sl_step store_generic(sl_warp *w, const sl_xinsn *i) {
  const uint64_t *a = sl__u64(w, i->s[0]), window = 1ull << 32;
  bool elsewhere = false;
  for (uint32_t m = w->mask; m && !elsewhere; m &= m - 1)
    elsewhere = a[__builtin_ctz(m)] + (uint64_t)i->imm - SL_LOCAL_BASE >= window;
  return elsewhere ? store_any(w, i) : store_local(w, i);
}

// Short cuts: 32- and 64-bit elements of a whole warp in a row ----------------------------------------------

static inline bool row64(const uint64_t *a, uint64_t step) {
  uint64_t bad = 0;
  for (uint64_t l = 0; l < SL_LANES; l++) bad |= (a[l] - a[0]) ^ (l * step);
  return !bad;
}

static inline bool row32(const uint32_t *a, uint32_t step) {
  uint32_t bad = 0;
  for (uint32_t l = 0; l < SL_LANES; l++) bad |= (a[l] - a[0]) ^ (l * step);
  return !bad;
}

// Host address of [bytes] x 32 from lane 0's address; NULL: take the long way, which finds out why.
static inline uint8_t *global_row(sl_warp *w, const sl_xinsn *i, uint64_t bytes) {
  const sl_memop *op = i->ext;
  const uint64_t *a = sl__u64(w, i->s[0]);
  uint64_t first = a[0] + (uint64_t)i->imm;
  sl_range *r = &w->grid->cache[op->cache];
  if (!w->full || !row64(a, bytes) || first % bytes) return NULL;
  if (r->size < 32 * bytes || first - r->base > r->size - 32 * bytes) return NULL;
  if (w->grid->watching) sl__touch_global_row(w, first, (uint32_t)bytes, op->write);
  uint8_t *p = sl__host(&w->grid->gpu->mem, first);
  for (uint64_t k = 0; k < 32 * bytes; k += 64) __builtin_prefetch(p + 32 * bytes + k); // the next warp's row
  return p;
}

static inline uint8_t *shared_row(sl_warp *w, const sl_xinsn *i, uint32_t bytes) {
  const sl_memop *op = i->ext;
  const uint32_t *a = sl__u32(w, i->s[0]);
  uint32_t first = a[0] + (uint32_t)i->imm, size = w->block->shared_bytes;
  if (!w->full || !row32(a, bytes) || first % bytes) return NULL;
  if (size < 32 * bytes || first > size - 32 * bytes) return NULL;
  if (w->grid->detailed) sl__count_shared_row(w, op->write);
  return w->block->shared + first;
}

#define ROW_LD(NAME, ROW, BYTES)                                                                             \
  static sl_step NAME(sl_warp *w, const sl_xinsn *i) {                                                       \
    const uint8_t *p = ROW(w, i, BYTES);                                                                     \
    if (!p) return load_any(w, i);                                                                           \
    memcpy(sl__at(w, i->d), p, 32 * BYTES);                                                                  \
    return SL_STEP;                                                                                          \
  }
#define ROW_ST(NAME, ROW, BYTES, OTHERWISE)                                                                  \
  static sl_step NAME(sl_warp *w, const sl_xinsn *i) {                                                       \
    uint8_t *p = ROW(w, i, BYTES);                                                                           \
    if (!p) return OTHERWISE(w, i);                                                                          \
    memcpy(p, sl__at(w, i->s[1]), 32 * BYTES);                                                               \
    w->grid->writes++;                                                                                       \
    return SL_STEP;                                                                                          \
  }
ROW_LD(load_global_32, global_row, 4)
ROW_LD(load_global_64, global_row, 8)
ROW_ST(store_global_32, global_row, 4, store_any)
ROW_ST(store_global_64, global_row, 8, store_any)
ROW_ST(store_generic_32, global_row, 4, store_generic)
ROW_ST(store_generic_64, global_row, 8, store_generic)
ROW_LD(load_shared_row_32, shared_row, 4)
ROW_LD(load_shared_64, shared_row, 8)
ROW_ST(store_shared_row_32, shared_row, 4, store_any)
ROW_ST(store_shared_64, shared_row, 8, store_any)

// 32-bit shared accesses of a whole warp with any addresses: one check for all lanes. Shared memory has less
// than 2^31 bytes, so an offset is too large if its upper bit is set, or that of what is left behind it.
static inline bool shared_ok(const sl_warp *w, const sl_xinsn *i, uint32_t *off) {
  const uint32_t *a = sl__u32(w, i->s[0]);
  uint32_t all = 0, left = 0, size = w->block->shared_bytes, imm = (uint32_t)i->imm;
  for (int l = 0; l < SL_LANES; l++) {
    uint32_t o = a[l] + imm;
    off[l] = o;
    all |= o;
    left |= size - 4 - o;
  }
  return size >= 4 && !((all | left) >> 31) && !(all & 3);
}

static sl_step load_shared_32(sl_warp *w, const sl_xinsn *i) {
  uint32_t off[SL_LANES];
  if (!w->full || !shared_ok(w, i, off)) return load_any(w, i);
  if (row32(off, 4)) return load_shared_row_32(w, i);
  const uint8_t *s = w->block->shared;
  uint32_t *d = sl__u32(w, i->d);
  for (int l = 0; l < SL_LANES; l++) memcpy(&d[l], s + off[l], 4);
  if (w->grid->detailed) sl__count_shared(w, off, 4, false);
  return SL_STEP;
}

static sl_step store_shared_32(sl_warp *w, const sl_xinsn *i) {
  uint32_t off[SL_LANES];
  if (!w->full || !shared_ok(w, i, off)) return store_any(w, i);
  if (row32(off, 4)) return store_shared_row_32(w, i);
  uint8_t *d = w->block->shared;
  const uint32_t *s = sl__u32(w, i->s[1]);
  for (int l = 0; l < SL_LANES; l++) memcpy(d + off[l], &s[l], 4);
  if (w->grid->detailed) sl__count_shared(w, off, 4, true);
  w->grid->writes++;
  return SL_STEP;
}

// Decoding --------------------------------------------------------------------------------------------------

sl_space sl__space_mod(const sl_ptx_insn *in) {
  for (uint32_t k = 0; k < in->n_mods; k++) switch ((sl_ptx_mod)in->mods[k]) {
    case SL_M_global: return SL_SP_GLOBAL;
    case SL_M_const: return SL_SP_CONST;
    case SL_M_shared:
    case SL_M_shared_cta:
    case SL_M_shared_cluster: // a cluster has one block
      return SL_SP_SHARED;
    case SL_M_local: return SL_SP_LOCAL;
    case SL_M_param:
    case SL_M_param_entry:
    case SL_M_param_func: return SL_SP_PARAM;
    default: break;
    }
  return SL_SP_NONE;
}

static const sl_resolve_fn RESOLVE[] = {
    [SL_SP_NONE] = sl__resolve_generic,  [SL_SP_CONST] = sl__resolve_global,
    [SL_SP_GLOBAL] = sl__resolve_global, [SL_SP_SHARED] = sl__resolve_shared,
    [SL_SP_LOCAL] = sl__resolve_local,   [SL_SP_PARAM] = sl__resolve_global};

// [base + imm] of a memory operand: address slot and offset.
static bool address(sl_decoder *dc, const sl_ptx_insn *in, const sl_operand *mem, sl_xinsn *x, sl_memop *op) {
  x->imm = mem->imm;
  if (mem->kind != SL_O_MEM) return sl__refuse(dc, in, "the address is no [..] operand");
  if (mem->base_kind == SL_O_REG) {
    sl_operand r = {.kind = SL_O_REG, .reg = mem->reg};
    op->addr32 = sl__operand_bits(dc, &r) == 32;
    if (op->addr32 && (op->space == SL_SP_NONE || op->space == SL_SP_GLOBAL || op->space == SL_SP_CONST))
      return sl__refuse(dc, in, "a 32-bit address");
    return sl__src(dc, &r, op->addr32 ? SL_M_b32 : SL_M_b64, &x->s[0]);
  }
  op->addr32 = op->space == SL_SP_SHARED || op->space == SL_SP_LOCAL;
  unsigned bits = op->addr32 ? 32 : 64;
  sl_operand v = *mem;
  v.kind = SL_O_VAR, v.imm = 0;
  if (mem->base_kind == SL_O_VAR) {
    sl_space sp = (sl_space)dc->m->ptx->vars[mem->var].space;
    if (op->space == SL_SP_NONE && sp == SL_SP_SHARED) v.generic = true;
    else if (op->space != SL_SP_NONE && sp != op->space && !(op->space == SL_SP_GLOBAL && sp == SL_SP_CONST))
      return sl__refuse(dc, in, "the variable lies in another state space");
    return sl__var_slot(dc, &v, bits, &x->s[0]);
  }
  x->s[0] = op->addr32 ? sl__const32(dc, 0) : sl__const64(dc, 0);
  return true;
}

bool sl__decode_access(sl_decoder *dc, const sl_ptx_insn *in, const sl_operand *mem, sl_space sp, sl_xinsn *x,
                       sl_memop **out) {
  sl_memop *op = sl__decode_alloc(dc, sizeof *op);
  op->space = (uint8_t)sp;
  op->resolve = RESOLVE[sp];
  op->cache = dc->m->n_mem++;
  op->n = 1;
  x->ext = op;
  *out = op;
  return address(dc, in, mem, x, op);
}

static unsigned log2_bytes(unsigned bytes) { return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3; }

// The elements of a vector operand, or the operand itself.
const sl_operand *sl__elements(sl_decoder *dc, const sl_operand *o, uint32_t *n) {
  *n = o->kind == SL_O_VEC ? o->n_elems : 1;
  return o->kind == SL_O_VEC ? &dc->f->elems[o->first] : o;
}

bool sl__value_is_wide(sl_decoder *dc, const sl_operand *o, sl_ptx_mod type) {
  unsigned reg = sl__operand_bits(dc, o);
  return (reg ? reg : sl_ptx_type_bits(type)) == 64;
}

bool sl__value_slot(sl_decoder *dc, const sl_ptx_insn *in, const sl_operand *o, bool write, sl_ptx_mod type,
                    sl_slot *out) {
  unsigned bits = sl_ptx_type_bits(type), reg = sl__operand_bits(dc, o);
  if (o->kind == SL_O_SINK && !write) {
    *out = SL_NO_SLOT;
    return true;
  }
  if (reg && (reg == 1 || reg == 128 || reg < (bits > 32 ? 64u : bits > 16 ? 32u : 16u)))
    return sl__refuse(dc, in, "a register too narrow for the type");
  if (!write) return sl__dst(dc, o, out);
  return sl__src(dc, o, reg == 64 ? SL_M_b64 : reg ? SL_M_b32 : type, out);
}

// One access of 128 bits: two elements of 64 bits, the halves of one register.
static bool halves_of(sl_decoder *dc, const sl_ptx_insn *in, const sl_operand *val, sl_memop *op) {
  unsigned reg = sl__operand_bits(dc, val);
  if (val->kind != SL_O_REG || reg != 128)
    return sl__refuse(dc, in, "a value of 128 bits needs a register of 128 bits");
  if (!(op->write ? sl__src(dc, val, SL_M_b128, &op->elem[0]) : sl__dst(dc, val, &op->elem[0]))) return false;
  op->elem[1] = op->elem[0] + SL_HALF_128;
  op->n = 2, op->elem_bytes = 8, op->bytes = 16;
  op->move = op->write ? out_64 : in_64;
  return true;
}

static bool elements_of(sl_decoder *dc, const sl_ptx_insn *in, const sl_operand *val, sl_memop *op) {
  sl_ptx_mod type = sl__type_mod(in);
  unsigned bytes = sl_ptx_type_bits(type) / 8;
  uint32_t n;
  const sl_operand *o = sl__elements(dc, val, &n);
  bool wide = false, is_signed = type >= SL_M_s8 && type <= SL_M_s64;
  if (bytes == 16) return halves_of(dc, in, val, op);
  if (bytes < 1 || bytes > 8 || n > 8 || (n & (n - 1)))
    return sl__refuse(dc, in, "memory accesses are of 8 to 64 bits, in vectors of 1, 2, 4 or 8");
  op->n = n, op->elem_bytes = (uint8_t)bytes, op->bytes = n * bytes;
  for (uint32_t k = 0; k < n; k++) {
    if (!sl__value_slot(dc, in, &o[k], op->write, type, &op->elem[k])) return false;
    if (op->elem[k] != SL_NO_SLOT) wide = sl__value_is_wide(dc, &o[k], type);
  }
  op->move = op->write ? OUT[log2_bytes(bytes)][wide] : IN[log2_bytes(bytes)][is_signed][wide];
  op->plain = n == 1 && (bytes == 8 || (bytes == 4 && !wide)) && op->elem[0] != SL_NO_SLOT;
  return true;
}

// By [space][write][64 bits]. A generic address is most often one of global memory.
static sl_op_fn short_cut(const sl_memop *op) {
  enum { GLOBAL, SHARED, GENERIC, NONE };
  static const sl_op_fn cuts[][2][2] = {
      [GLOBAL] = {{load_global_32, load_global_64}, {store_global_32, store_global_64}},
      [SHARED] = {{load_shared_32, load_shared_64}, {store_shared_32, store_shared_64}},
      [GENERIC] = {{load_global_32, load_global_64}, {store_generic_32, store_generic_64}}};
  const int space = op->space == SL_SP_GLOBAL || op->space == SL_SP_CONST ? GLOBAL
                    : op->space == SL_SP_SHARED && op->addr32             ? SHARED
                    : op->space == SL_SP_NONE && !op->addr32              ? GENERIC
                                                                          : NONE;
  return op->plain && space != NONE ? cuts[space][op->write][op->bytes == 8] : NULL;
}

static bool decode_ld_st(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x, bool write) {
  const sl_operand *mem = &in->ops[write ? 0 : 1], *val = &in->ops[write ? 1 : 0];
  sl_space sp = sl__space_mod(in);
  sl_memop *op;
  if (in->n_ops < 2) return sl__refuse(dc, in, "too few operands");
  if (sp == SL_SP_PARAM && mem->kind == SL_O_MEM && mem->base_kind == SL_O_VAR &&
      !sl__is_formal(dc->f, mem->var))
    return sl__decode_call_param(dc, in, x, write);
  if (!sl__decode_access(dc, in, mem, sp, x, &op)) return false;
  op->write = write;
  if (!elements_of(dc, in, val, op)) return false;
  if (write) x->s[1] = op->elem[0];
  else x->d = op->elem[0];
  x->fn = !write                            ? load_any
          : sp == SL_SP_LOCAL               ? store_local
          : sp == SL_SP_NONE && !op->addr32 ? store_generic
                                            : store_any;
  op->orders = sl__is_strong(in) && (sp == SL_SP_GLOBAL || sp == SL_SP_NONE);
  if (op->orders && !write) x->fn = load_strong;
  else if (!write && waits_in_block(in)) x->fn = load_of_block;
  else if (!op->orders && short_cut(op)) x->fn = short_cut(op);
  return true;
}

bool sl__decode_mem(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  switch ((sl_ptx_op)in->op) {
  case SL_OP_ld:
  case SL_OP_ldu: return decode_ld_st(dc, in, x, false);
  case SL_OP_st: return decode_ld_st(dc, in, x, true);
  case SL_OP_prefetch:
  case SL_OP_prefetchu: x->fn = sl__nothing; return true;
  case SL_OP_cp: return sl__decode_copy(dc, in, x);
  default: return sl__refuse(dc, in, "this memory instruction is not supported");
  }
}
