// Addresses between state spaces (cvta, isspacep) and asynchronous copies. A copy is done at once here, so
// waiting for it does nothing (late.c makes copies late, observers/async.c knows who has waited).
#include "engine/core.h"

// To a 64-bit address, and to a 32-bit one.
static SL_UNARY(cvta, uint64_t, uint64_t, a + (uint64_t)i->imm)
static SL_UNARY(cvta32, uint32_t, uint64_t, a + (uint64_t)i->imm)
// Each thread's local memory has generic addresses of its own.
static SL_UNARY(cvta_local, uint64_t, uint64_t, a + sl__local_window(sl__core(w), l))
static SL_UNARY(cvta_to_local, uint64_t, uint64_t, a - sl__local_window(sl__core(w), l))

static sl_step isspacep(sl_warp *w, const sl_xinsn *i) {
  const uint64_t *a = sl__u64(w, i->s[0]);
  uint32_t r = 0;
  for (int l = 0; l < SL_LANES; l++) r |= (uint32_t)(a[l] - (uint64_t)i->imm < i->aux * (1ull << 32)) << l;
  sl__set_pred(w, i->d, r);
  return SL_STEP;
}

// Constant variables lie in device memory, but their generic addresses belong to the constant space.
static bool in_constant(const sl_gmodule *m, uint64_t a) {
  for (uint32_t v = 0; v < m->ptx->n_vars; v++)
    if (m->ptx->vars[v].space == SL_SP_CONST && a - m->var_addr[v] < m->ptx->vars[v].size) return true;
  return false;
}

static sl_step isspacep_const(sl_warp *w, const sl_xinsn *i) {
  const uint64_t *a = sl__u64(w, i->s[0]);
  uint32_t r = 0;
  SL_FOR_LANES(l, w->mask) {
    r |= (uint32_t)in_constant(w->grid->m, a[l]) << l;
  }
  sl__set_pred(w, i->d, r);
  return SL_STEP;
}

uint32_t sl__copies_left(const sl_ptx_insn *in) {
  return sl_ptx_has_mod(in, SL_M_wait_all) || in->ops[0].kind != SL_O_IMM ? SL_COPIES_ALL
                                                                          : (uint32_t)in->ops[0].imm;
}

uint32_t sl__copy_reads(const sl_warp *w, const sl_xinsn *i, int lane) {
  const sl_copy *c = i->ext;
  if (c->ignores) return sl__pred_src(w, i, 0) >> lane & 1 ? 0 : c->bytes;
  uint32_t n = c->size == SL_NO_SLOT ? c->bytes : sl__u32(w, c->size)[lane];
  return n < c->bytes ? n : c->bytes;
}

void sl__copy_byte(sl_copy_byte *out, const sl_copy *c, uint32_t at) {
  out->from = c->from, out->op = *(const sl_memop *)c->from.ext;
  out->op.bytes = out->op.elem_bytes = 1;
  out->from.ext = &out->op, out->from.imm += at;
}

// Checks the first and the last byte of what each lane reads; if one of them is bad, the lane reads zeros. A
// lane that reads less than the whole may read up to the end of an allocation.
static bool resolve_part(sl_warp *w, const sl_copy *c, int lane, uint32_t n, uint8_t **p) {
  sl_copy_byte first, last;
  uint8_t *q[SL_LANES];
  uint32_t all = w->mask;
  sl__copy_byte(&first, c, 0), sl__copy_byte(&last, c, n - 1);
  sl__set_mask(w, 1u << lane);
  bool good = first.op.resolve(w, &first.from, p) && last.op.resolve(w, &last.from, q);
  sl__set_mask(w, all);
  if (good && sl__is_nowhere(w->grid, q[lane])) p[lane] = w->grid->nowhere[lane];
  return good;
}

// Resolves the sources of the lanes that read something. The address of a lane that reads nothing is ignored.
static bool resolve_sources(sl_warp *w, const sl_copy *c, const uint32_t *n, uint8_t **p) {
  const sl_memop *from = c->from.ext;
  uint32_t whole = 0, part = 0, all = w->mask;
  uint8_t *q[SL_LANES];
  SL_FOR_LANES(l, all) {
    whole |= (uint32_t)(n[l] == c->bytes) << l, part |= (uint32_t)(n[l] && n[l] < c->bytes) << l;
  }
  if (whole == all) return from->resolve(w, &c->from, p);
  sl__set_mask(w, whole);
  bool good = !whole || from->resolve(w, &c->from, p);
  sl__set_mask(w, all);
  for (uint32_t m = part; m && good; m &= m - 1) {
    int l = __builtin_ctz(m);
    good = resolve_part(w, c, l, n[l], q);
    p[l] = q[l];
  }
  return good;
}

static sl_step copy_async(sl_warp *w, const sl_xinsn *i) {
  const sl_copy *c = i->ext;
  const sl_memop *to = c->to.ext;
  uint8_t *p[SL_LANES], *q[SL_LANES];
  uint32_t n[SL_LANES];
  for (int l = 0; l < SL_LANES; l++) n[l] = sl__copy_reads(w, i, l);
  if (!resolve_sources(w, c, n, p) || !to->resolve(w, &c->to, q)) return SL_STEP_FAULT;
  SL_FOR_LANES(l, w->mask) {
    if (n[l]) memcpy(q[l], p[l], n[l]);
    memset(q[l] + n[l], 0, c->bytes - n[l]);
  }
  w->grid->writes++;
  return SL_STEP;
}

static const struct {
  sl_ptx_mod mod;
  uint64_t base;
  uint32_t windows;
} SPACES[] = {{SL_M_shared, SL_SHARED_BASE, 1},
              {SL_M_shared_cta, SL_SHARED_BASE, 1},
              {SL_M_shared_cluster, SL_SHARED_BASE, 1},
              {SL_M_local, SL_LOCAL_BASE, 1},
              {SL_M_global, SL_GLOBAL_BASE, (uint32_t)(SL_GLOBAL_SIZE >> 32)},
              {SL_M_const, 0, 0},
              {SL_M_param, 0, 0},
              {SL_M_param_entry, 0, 0}};

bool sl__decode_cvta(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  bool test = in->op == SL_OP_isspacep, to = sl_ptx_has_mod(in, SL_M_to);
  for (size_t k = 0; k < sizeof SPACES / sizeof *SPACES; k++) {
    if (!sl_ptx_has_mod(in, SPACES[k].mod)) continue;
    uint64_t base = SPACES[k].mod == SL_M_global && !test ? 0 : SPACES[k].base;
    const bool narrow = sl__operand_bits(dc, &in->ops[0]) == 32;
    x->fn = test                          ? SPACES[k].mod == SL_M_const ? isspacep_const : isspacep
            : narrow                      ? cvta32
            : SPACES[k].mod != SL_M_local ? cvta
            : to                          ? cvta_to_local
                                          : cvta_local;
    x->imm = to ? -(int64_t)base : (int64_t)base;
    x->aux = SPACES[k].windows;
    return sl__dst(dc, &in->ops[0], &x->d) && sl__src(dc, &in->ops[1], SL_M_b64, &x->s[0]);
  }
  return sl__refuse(dc, in, "no such state space here");
}

bool sl__decode_copy(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  if (sl_ptx_has_mod(in, SL_M_mbarrier)) return sl__decode_mbarrier(dc, in, x);
  if (sl_ptx_has_mod(in, SL_M_bulk)) return sl__decode_bulk(dc, in, x);
  if (!sl_ptx_has_mod(in, SL_M_async)) return sl__refuse(dc, in, "this copy is not supported");
  if (in->n_ops < 3) {
    x->fn = sl__nothing;
    return true;
  } // commit_group, wait_group, wait_all: copies are done already
  sl_copy *c = sl__decode_alloc(dc, sizeof *c);
  sl_memop *to, *from;
  c->to.src = c->from.src = x->src;
  c->to.target = c->from.target = dc->m->n_code - 1; // the instruction for findings
  if (!sl__decode_access(dc, in, &in->ops[0], SL_SP_SHARED, &c->to, &to) ||
      !sl__decode_access(dc, in, &in->ops[1], SL_SP_GLOBAL, &c->from, &from))
    return false;
  c->bytes = to->bytes = from->bytes = (uint32_t)in->ops[2].imm;
  to->elem_bytes = from->elem_bytes = 4; // findings count in words
  to->write = true;
  c->size = SL_NO_SLOT;
  if (in->ops[2].kind != SL_O_IMM || (c->bytes != 4 && c->bytes != 8 && c->bytes != 16))
    return sl__refuse(dc, in, "copies are of 4, 8 or 16 bytes");
  uint32_t n_ops = in->n_ops - sl_ptx_has_mod(in, SL_M_L2_cache_hint); // the policy stands last
  c->ignores = n_ops > 3 && sl__operand_bits(dc, &in->ops[3]) == 1;
  if (c->ignores && !sl__src_pred(dc, &in->ops[3], 0, x)) return false;
  if (n_ops > 3 && !c->ignores && !sl__src(dc, &in->ops[3], SL_M_u32, &c->size)) return false;
  x->fn = copy_async;
  x->ext = c;
  return true;
}
