// cp.async.bulk and cp.reduce.async.bulk between global and shared memory. Interface: sl__decode_bulk.
//
// A copy is done at once, like all asynchronous copies here. Then the mbarrier that it names, if any,
// learns of its bytes. Addresses and sizes are multiples of 16. Tensor copies are refused.
#include "engine/core.h"

#define PIECE SL_BULK_PIECE

#define COMBINE(NAME, T, EXPR)                                                                               \
  static void NAME(void *to, const void *from) {                                                             \
    T a[PIECE / sizeof(T)], b[PIECE / sizeof(T)];                                                            \
    memcpy(a, to, PIECE), memcpy(b, from, PIECE);                                                            \
    for (size_t k = 0; k < PIECE / sizeof(T); k++) a[k] = (T)(EXPR);                                         \
    memcpy(to, a, PIECE);                                                                                    \
  }
#define COMBINE_ORDERED(S, T)                                                                                \
  COMBINE(add_##S, T, a[k] + b[k])                                                                           \
  COMBINE(min_##S, T, a[k] < b[k] ? a[k] : b[k])                                                             \
  COMBINE(max_##S, T, a[k] > b[k] ? a[k] : b[k])
COMBINE_ORDERED(u32, uint32_t)
COMBINE_ORDERED(s32, int32_t)
COMBINE_ORDERED(u64, uint64_t)
COMBINE_ORDERED(s64, int64_t)
COMBINE(add_f32, float, a[k] + b[k])
COMBINE(add_f64, double, a[k] + b[k])
COMBINE(and_b32, uint32_t, a[k] & b[k])
COMBINE(or_b32, uint32_t, a[k] | b[k])
COMBINE(xor_b32, uint32_t, a[k] ^ b[k])
COMBINE(inc_u32, uint32_t, a[k] >= b[k] ? 0 : a[k] + 1)
COMBINE(dec_u32, uint32_t, a[k] == 0 || a[k] > b[k] ? b[k] : a[k] - 1)

static const struct {
  sl_ptx_mod op, type;
  sl_combine_fn fn;
} COMBINES[] = {
    {SL_M_add, SL_M_u32, add_u32}, {SL_M_add, SL_M_s32, add_s32}, {SL_M_add, SL_M_u64, add_u64},
    {SL_M_add, SL_M_s64, add_s64}, {SL_M_min, SL_M_u32, min_u32}, {SL_M_min, SL_M_s32, min_s32},
    {SL_M_min, SL_M_u64, min_u64}, {SL_M_min, SL_M_s64, min_s64}, {SL_M_max, SL_M_u32, max_u32},
    {SL_M_max, SL_M_s32, max_s32}, {SL_M_max, SL_M_u64, max_u64}, {SL_M_max, SL_M_s64, max_s64},
    {SL_M_add, SL_M_f32, add_f32}, {SL_M_add, SL_M_f64, add_f64}, {SL_M_and, SL_M_b32, and_b32},
    {SL_M_or, SL_M_b32, or_b32},   {SL_M_xor, SL_M_b32, xor_b32}, {SL_M_and, SL_M_b64, and_b32},
    {SL_M_or, SL_M_b64, or_b32},   {SL_M_xor, SL_M_b64, xor_b32}, {SL_M_inc, SL_M_u32, inc_u32},
    {SL_M_dec, SL_M_u32, dec_u32},
};

static void move_piece(const sl_bulk *b, uint8_t *to, const uint8_t *from) {
  if (b->combine) b->combine(to, from);
  else memmove(to, from, PIECE);
}

// Copies for one lane. Each piece is an access of its own, which finds the first byte out of bounds.
static bool copy_lane(sl_warp *w, const sl_bulk *b, int l, uint32_t bytes) {
  sl_xinsn from = b->copy.from, to = b->copy.to;
  const sl_memop *src = from.ext, *dst = to.ext;
  uint8_t *p[SL_LANES], *q[SL_LANES];
  for (uint32_t at = 0; at < bytes; at += PIECE) {
    from.imm = b->copy.from.imm + at, to.imm = b->copy.to.imm + at;
    if (!src->resolve(w, &from, p) || !dst->resolve(w, &to, q)) return false;
    move_piece(b, q[l], p[l]);
  }
  return true;
}

static bool arrived(sl_warp *w, const sl_xinsn *i, const sl_bulk *b, int l, uint32_t bytes) {
  const sl_memop *op = b->object.ext;
  uint8_t *p[SL_LANES];
  return !b->has_object || (op->resolve(w, &b->object, p) && sl__mbar_bytes(w, i, l, p[l], bytes));
}

static sl_step bulk(sl_warp *w, const sl_xinsn *i) {
  const sl_bulk *b = i->ext;
  uint32_t all = w->mask, ok = 1;
  for (uint32_t m = all; m && ok; m &= m - 1) {
    int l = __builtin_ctz(m);
    uint32_t bytes = sl__u32(w, b->copy.size)[l];
    sl__set_mask(w, 1u << l);
    if (bytes % PIECE) {
      sl__finding_at(w, i, l, SL_FOUND_MEMORY_MISALIGNED, "a bulk copy of %u bytes: not a multiple of 16",
                     bytes);
      ok = 0;
    }
    ok = ok && copy_lane(w, b, l, bytes) && arrived(w, i, b, l, bytes);
  }
  sl__set_mask(w, all);
  w->grid->writes++;
  return ok ? SL_STEP : SL_STEP_FAULT;
}

// Spaces of destination and source, in the text's order: .global.shared::cta, .shared::cluster.global, ..
static bool spaces(const sl_ptx_insn *in, sl_space *to, sl_space *from) {
  sl_space at[2] = {SL_SP_NONE, SL_SP_NONE};
  uint32_t n = 0;
  for (uint32_t k = 0; k < in->n_mods && n < 2; k++) {
    sl_ptx_mod m = (sl_ptx_mod)in->mods[k];
    if (m == SL_M_global) at[n++] = SL_SP_GLOBAL;
    if (m == SL_M_shared || m == SL_M_shared_cta || m == SL_M_shared_cluster) at[n++] = SL_SP_SHARED;
  }
  *to = at[0], *from = at[1];
  return n == 2 && (at[0] == SL_SP_SHARED || at[1] == SL_SP_SHARED);
}

static sl_memop *side(sl_decoder *dc, const sl_ptx_insn *in, uint32_t k, sl_space sp, uint32_t bytes,
                      sl_xinsn *x) {
  sl_memop *op;
  x->src = (uint32_t)(in - dc->f->insns);
  x->target = dc->m->n_code - 1; // the instruction for findings
  if (!sl__decode_access(dc, in, &in->ops[k], sp, x, &op)) return NULL;
  op->bytes = bytes, op->elem_bytes = bytes == 8 ? 8 : 4;
  return op;
}

static bool reduction(const sl_ptx_insn *in, sl_bulk *b) {
  sl_ptx_mod type = sl__type_mod(in);
  for (size_t k = 0; k < sizeof COMBINES / sizeof *COMBINES && !b->combine; k++)
    if (COMBINES[k].type == type && sl_ptx_has_mod(in, COMBINES[k].op)) b->combine = COMBINES[k].fn;
  return b->combine;
}

bool sl__decode_bulk(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  sl_space to, from;
  sl_memop *dst;
  x->fn = sl__nothing;
  if (sl_ptx_has_mod(in, SL_M_commit_group) || sl_ptx_has_mod(in, SL_M_wait_group) ||
      sl_ptx_has_mod(in, SL_M_prefetch))
    return true;
  sl_bulk *b = sl__decode_alloc(dc, sizeof *b);
  x->ext = b;
  x->fn = bulk;
  b->has_object = sl_ptx_has_mod(in, SL_M_mbarrier_complete_tx);
  if (!spaces(in, &to, &from) || in->n_ops < 3u + b->has_object)
    return sl__refuse(dc, in, "tensor and other forms are not supported");
  if (sl_ptx_has_mod(in, SL_M_reduce) && !reduction(in, b))
    return sl__refuse(dc, in, "this reduction or type is not supported");
  dst = side(dc, in, 0, to, PIECE, &b->copy.to);
  if (!dst || !side(dc, in, 1, from, PIECE, &b->copy.from)) return false;
  dst->write = true;
  b->copy.bytes = PIECE;
  if (b->has_object && !side(dc, in, 3, SL_SP_SHARED, 8, &b->object)) return false;
  return sl__src(dc, &in->ops[2], SL_M_u32, &b->copy.size);
}
