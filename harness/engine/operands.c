// Operands to slots: registers of the frame, literals of the module's constant pool, special registers,
// addresses. Every family's decoder goes through here, so a handler never asks what kind of operand it has.
#include "engine/core.h"

// The pool: bytes 0..3 a false predicate, 4..7 a true one, then vectors of 32 equal lanes.
static uint8_t *pool_room(sl_gmodule *m, uint32_t bytes) {
  if (m->const_bytes + bytes > m->const_cap) {
    uint32_t cap = m->const_cap ? 2 * m->const_cap : 8192;
    uint8_t *n = sl_must(aligned_alloc(64, cap));
    memset(n, 0, cap);
    if (m->consts) memcpy(n, m->consts, m->const_bytes);
    free(m->consts);
    m->consts = n, m->const_cap = cap;
    if (m->const_bytes == 0) memset(n + 4, 0xff, 4), m->const_bytes = 128;
  }
  return m->consts + m->const_bytes;
}

// A vector of [v] in each lane, [size] bytes wide; equal ones share it as long as they are [known].
static sl_slot constant(sl_gmodule *m, uint64_t v, uint32_t size, sl_known *known, uint32_t *n) {
  for (uint32_t k = 0; k < *n; k++)
    if (known[k].value == v) return known[k].slot;
  uint8_t *p = pool_room(m, SL_LANES * size);
  for (uint32_t l = 0; l < SL_LANES; l++) memcpy(p + l * size, &v, size);
  sl_slot s = m->const_bytes | SL_BANK_CONST;
  m->const_bytes += SL_LANES * size;
  known[*n % SL_KNOWN] = (sl_known){v, s};
  if (*n < SL_KNOWN) ++*n;
  return s;
}

sl_slot sl__const32(sl_decoder *dc, uint32_t v) {
  return constant(dc->m, v, 4, dc->m->known32, &dc->m->n_known32);
}

sl_slot sl__const64(sl_decoder *dc, uint64_t v) {
  return constant(dc->m, v, 8, dc->m->known64, &dc->m->n_known64);
}

static sl_slot const_pred(sl_decoder *dc, bool v) {
  pool_room(dc->m, 0);
  return (v ? 4u : 0u) | SL_BANK_CONST;
}

// Special registers that hold still: where they are.
static const struct {
  bool known;
  sl_slot slot;
} SREGS[SL_SR_COUNT_] = {
#define AT(name, at, bank) [SL_SR_##name] = {true, (at) | (bank)}
#define XYZ(name, at, bank) AT(name##_x, at##_X, bank), AT(name##_y, at##_Y, bank), AT(name##_z, at##_Z, bank)
    XYZ(tid, SL_SB_TID, SL_BANK_SPECIAL),
    XYZ(ctaid, SL_SB_CTAID, SL_BANK_SPECIAL),
    AT(warpid, SL_SB_WARPID, SL_BANK_SPECIAL),
    AT(smid, SL_SB_SMID, SL_BANK_SPECIAL),
    XYZ(ntid, SL_LB_NTID, SL_BANK_LAUNCH),
    XYZ(nctaid, SL_LB_NCTAID, SL_BANK_LAUNCH),
    AT(nwarpid, SL_LB_NWARPID, SL_BANK_LAUNCH),
    AT(nsmid, SL_LB_NSMID, SL_BANK_LAUNCH),
    AT(dynamic_smem_size, SL_LB_DYN_SMEM, SL_BANK_LAUNCH),
    AT(total_smem_size, SL_LB_TOTAL_SMEM, SL_BANK_LAUNCH),
    AT(gridid, SL_LB_GRIDID, SL_BANK_LAUNCH),
    AT(envreg1, SL_LB_ENVREG1, SL_BANK_LAUNCH),
    AT(envreg2, SL_LB_ENVREG2, SL_BANK_LAUNCH),
    AT(reserved_smem_offset_1, SL_LB_RESERVED, SL_BANK_LAUNCH),
    XYZ(clusterid, SL_SB_CTAID, SL_BANK_SPECIAL), // a cluster is one block
    XYZ(nclusterid, SL_LB_NCTAID, SL_BANK_LAUNCH),
#undef XYZ
#undef AT
};

// Those that depend on the lane alone.
static bool lane_value(uint8_t sreg, int l, uint32_t *v) {
  switch ((sl_ptx_sreg)sreg) {
  case SL_SR_laneid: *v = (uint32_t)l; return true;
  case SL_SR_lanemask_eq: *v = 1u << l; return true;
  case SL_SR_lanemask_lt: *v = (1u << l) - 1; return true;
  case SL_SR_lanemask_le: *v = (2u << l) - 1; return true;
  case SL_SR_lanemask_gt: *v = ~((2u << l) - 1); return true;
  case SL_SR_lanemask_ge: *v = ~((1u << l) - 1); return true;
  default: return false;
  }
}

static bool lane_slot(sl_decoder *dc, uint8_t sreg, sl_slot *out) {
  sl_gmodule *m = dc->m;
  uint32_t v;
  if (!lane_value(sreg, 0, &v)) return false;
  if (!m->lane_slots[sreg]) {
    uint32_t *p = (uint32_t *)pool_room(m, 128);
    for (int l = 0; l < SL_LANES; l++) lane_value(sreg, l, &p[l]);
    m->lane_slots[sreg] = m->const_bytes | SL_BANK_CONST;
    m->const_bytes += 128;
  }
  *out = m->lane_slots[sreg];
  return true;
}

// Those that are the same everywhere; 0 are the others.
static const uint8_t SAME[SL_SR_COUNT_] = {[SL_SR_warpsz] = 32,
                                           [SL_SR_cluster_nctarank] = 1,
                                           [SL_SR_cluster_nctaid_x] = 1,
                                           [SL_SR_cluster_nctaid_y] = 1,
                                           [SL_SR_cluster_nctaid_z] = 1};

static bool sreg_slot(sl_decoder *dc, uint8_t sreg, sl_slot *out) {
  dc->m->reserves |= sreg == SL_SR_reserved_smem_offset_1;
  if (lane_slot(dc, sreg, out)) return true;
  if (sl__is_dynamic_sreg(sreg)) return false;
  *out = SREGS[sreg].known                   ? SREGS[sreg].slot
         : sreg == SL_SR_is_explicit_cluster ? const_pred(dc, false)
                                             : sl__const32(dc, SAME[sreg]);
  return true;
}

bool sl__is_dynamic_sreg(uint8_t s) {
  return s == SL_SR_clock || s == SL_SR_clock_hi || s == SL_SR_clock64 || s == SL_SR_globaltimer ||
         s == SL_SR_globaltimer_lo || s == SL_SR_globaltimer_hi;
}

// A literal in the type of the instruction.
static uint64_t literal(const sl_operand *o, sl_ptx_mod type) {
  if (o->kind == SL_O_F64 && type == SL_M_f32) {
    double d;
    memcpy(&d, &o->imm, 8);
    float f = (float)d;
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
  }
  if (o->kind == SL_O_F32 && type == SL_M_f64) {
    float f;
    uint32_t u = (uint32_t)o->imm;
    memcpy(&f, &u, 4);
    double d = f;
    uint64_t r;
    memcpy(&r, &d, 8);
    return r;
  }
  return (uint64_t)o->imm;
}

static bool value_slot(sl_decoder *dc, uint64_t v, unsigned bits, sl_slot *out) {
  *out = bits == 1 ? const_pred(dc, v != 0) : bits == 64 ? sl__const64(dc, v) : sl__const32(dc, (uint32_t)v);
  return true;
}

// The launch bank's slot for the start of dynamic shared memory plus imm (it depends on the kernel).
static bool dynamic_shared(sl_decoder *dc, int64_t imm, unsigned bits, sl_slot *out) {
  sl_gmodule *m = dc->m;
  bool wide = bits == 64;
  for (uint32_t k = 0; k < m->n_shared_values; k++)
    if (m->shared_values[k].imm == imm && m->shared_values[k].wide == wide) {
      *out = m->shared_values[k].slot | SL_BANK_LAUNCH;
      return true;
    }
  if (m->n_shared_values == SL_SHARED_VALUES) return false;
  m->shared_values[m->n_shared_values++] =
      (sl_launch_value){.slot = m->launch_fixed, .wide = wide, .is_dynamic_shared = true, .imm = imm};
  *out = m->launch_fixed | SL_BANK_LAUNCH;
  m->launch_fixed += wide ? 256 : 128;
  return true;
}

static bool local_slot(sl_decoder *dc, uint32_t offset, unsigned bits, sl_slot *out) {
  sl_func *fn = dc->fn;
  bool wide = bits == 64;
  for (uint32_t k = 0; k < fn->n_init; k++)
    if (fn->init[k].offset == offset && fn->init[k].wide == wide) {
      *out = fn->init[k].slot;
      return true;
    }
  if ((fn->n_init & (fn->n_init - 1)) == 0) {
    sl_frame_value *n = sl__arena(dc->m, (fn->n_init ? 2 * fn->n_init : 1) * sizeof *n);
    if (fn->n_init) memcpy(n, fn->init, fn->n_init * sizeof *n);
    fn->init = n;
  }
  *out = dc->frame;
  fn->init[fn->n_init++] = (sl_frame_value){.slot = dc->frame, .offset = offset, .wide = wide};
  dc->frame += wide ? 256 : 128;
  return true;
}

// Room in local memory for formal parameter [var], whose address is taken.
static uint32_t spill(sl_decoder *dc, uint32_t var) {
  sl_func *fn = dc->fn;
  const sl_ptx_var *v = &dc->m->ptx->vars[var];
  for (uint32_t k = 0; k < fn->n_spills; k++)
    if (fn->spills[k].var == var) return fn->spills[k].offset;
  if (!fn->spills) fn->spills = sl__arena(dc->m, dc->f->n_params * sizeof *fn->spills);
  uint32_t align = v->align > 4 ? v->align : 4, at = (fn->local_bytes + align - 1) & ~(align - 1);
  fn->spills[fn->n_spills++] = (sl_spill){var, at};
  fn->local_bytes = at + (uint32_t)v->size;
  return at;
}

bool sl__is_argument(const sl_ptx_func *f, uint32_t var) {
  for (uint32_t k = 0; k < f->n_params; k++)
    if (f->params[k] == var) return true;
  return false;
}

bool sl__var_slot(sl_decoder *dc, const sl_operand *o, unsigned bits, sl_slot *out) {
  const sl_ptx_var *v = &dc->m->ptx->vars[o->var];
  int64_t imm = o->imm;
  switch ((sl_space)v->space) {
  case SL_SP_GLOBAL:
  case SL_SP_CONST: return value_slot(dc, dc->m->var_addr[o->var] + (uint64_t)imm, bits, out);
  case SL_SP_SHARED:
    if (v->is_unsized) return dynamic_shared(dc, imm, bits, out);
    return value_slot(dc, (o->generic ? SL_SHARED_BASE : 0) + dc->m->var_addr[o->var] + (uint64_t)imm, bits,
                      out);
  case SL_SP_LOCAL: return local_slot(dc, (uint32_t)(v->offset + (uint64_t)imm), bits, out);
  case SL_SP_PARAM:
    if (!sl__is_argument(dc->f, o->var)) return false;
    if (!dc->f->is_entry) return local_slot(dc, spill(dc, o->var) + (uint32_t)imm, bits, out);
    return value_slot(dc, dc->m->gpu->param_addr + v->offset + (uint64_t)imm, bits, out);
  default: return false;
  }
}

static bool bad_operand(sl_decoder *dc, const char *why) {
  return sl_fail(dc->e, SL_EXIT_INPUT, NULL, "%s", why);
}

unsigned sl__operand_bits(sl_decoder *dc, const sl_operand *o) {
  static const unsigned BITS[] = {
      [SL_R_PRED] = 1, [SL_R_16] = 16, [SL_R_32] = 32, [SL_R_64] = 64, [SL_R_128] = 128};
  if (o->kind != SL_O_REG) return 0;
  return BITS[dc->f->regs[o->reg].cls];
}

sl_slot sl__reg_slot(const sl_decoder *dc, uint32_t reg) {
  return dc->alias[reg] != SL_NO_SLOT ? dc->alias[reg] : dc->slots[reg];
}

bool sl__dst(sl_decoder *dc, const sl_operand *o, sl_slot *out) {
  if (o->kind == SL_O_REG) {
    *out = dc->slots[o->reg] != SL_NO_SLOT ? dc->slots[o->reg] : dc->sink;
    return true;
  }
  if (o->kind == SL_O_SINK) {
    *out = dc->sink;
    return true;
  }
  return bad_operand(dc, "the destination is no register");
}

bool sl__dst_pair(sl_decoder *dc, const sl_operand *o, sl_slot *out) {
  *out = o->pair && o->pair != UINT32_MAX ? dc->slots[o->pair - 1] : SL_NO_SLOT;
  return true;
}

// A register that no instruction writes: zero.
static bool never_written(sl_decoder *dc, unsigned bits, sl_slot *out) {
  if (bits != 128) return value_slot(dc, 0, bits, out);
  pool_room(dc->m, 2 * SL_HALF_128);
  *out = dc->m->const_bytes | SL_BANK_CONST;
  dc->m->const_bytes += 2 * SL_HALF_128;
  return true;
}

bool sl__src(sl_decoder *dc, const sl_operand *o, sl_ptx_mod type, sl_slot *out) {
  unsigned bits = sl_ptx_type_bits(type);
  switch ((sl_opnd_kind)o->kind) {
  case SL_O_REG:
    if ((bits == 128) != (sl__operand_bits(dc, o) == 128))
      return bad_operand(dc, "a 128-bit register and another are mixed up");
    if ((bits == 64) > (sl__operand_bits(dc, o) >= 64))
      return bad_operand(dc, "a 32-bit register is used as a 64-bit one");
    if ((bits == 1) != (sl__operand_bits(dc, o) == 1))
      return bad_operand(dc, "a predicate and a number are mixed up");
    *out = sl__reg_slot(dc, o->reg);
    return *out != SL_NO_SLOT || never_written(dc, bits, out);
  case SL_O_IMM:
  case SL_O_F32:
  case SL_O_F64:
    if (bits == 128) return bad_operand(dc, "there are no literals of 128 bits");
    return value_slot(dc, literal(o, type), bits, out);
  case SL_O_SREG:
    return sreg_slot(dc, o->sreg, out) || bad_operand(dc, "this special register is not supported");
  case SL_O_VAR:
    return sl__var_slot(dc, o, bits, out) || bad_operand(dc, "the address of this variable is not supported");
  case SL_O_FUNC: return value_slot(dc, SL_FUNC_TAG + 16ull * (o->func + 1), bits, out);
  default: return bad_operand(dc, "this kind of operand is not supported");
  }
}

bool sl__src_pred(sl_decoder *dc, const sl_operand *o, unsigned k, sl_xinsn *x) {
  if (o->negated) x->neg |= 1u << k;
  return sl__src(dc, o, SL_M_pred, &x->s[k]);
}

const sl_operand *sl__elem(sl_decoder *dc, const sl_operand *vec, uint32_t k) {
  return &dc->f->elems[vec->first + k];
}

sl_slot sl__param_slot(const sl_decoder *dc, uint64_t offset) {
  return dc->fn->param_base + (uint32_t)(offset / 4 * 4 - dc->fn->param_skip) * 32;
}
