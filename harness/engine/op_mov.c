// mov: registers, literals, special registers, addresses and predicates; packing several registers into a
// wider one and back. Interface: sl__decode_mov. Clocks are computed when they are read (op_misc.c); all
// other special registers are operands in a bank of the warp.

// clang-format off
#include "engine/form.h"

// Opcode: mov.type d, a             Synopsis: d = a
static SL_UNARY(op_mov_b32, uint32_t, uint32_t, a)
static SL_UNARY(op_mov_b64, uint64_t, uint64_t, a)

// Opcode: mov.b128 d, a  Synopsis: d = a. A register of 128 bits is two vectors of 64, the lower half first
static sl_step op_mov_b128(sl_warp *w, const sl_xinsn *i) {
  for (sl_slot half = 0; half <= SL_HALF_128; half += SL_HALF_128) sl__put64(w, i->d + half, sl__u64(w, i->s[0] + half));
  return SL_STEP;
}

static sl_step op_mov_pred(sl_warp *w, const sl_xinsn *i) {
  sl__set_pred_opt(w, i->d, sl__pred_src(w, i, 0));
  return SL_STEP;
}

// The elements of a packed operand: their slots (SL_NO_SLOT: unused), how many and of how many bits.
typedef struct pack { uint32_t n, bits; sl_slot at[4]; } pack;

static inline uint64_t low(uint64_t v, uint32_t bits) { return bits > 63 ? v : v & ((1ull << bits) - 1); }

static uint64_t pack_lane(const sl_warp *w, const pack *p, int l) {
  uint64_t v = 0;
  for (uint32_t k = 0; k < p->n; k++) v |= low(sl__u32(w, p->at[k])[l], p->bits) << k * p->bits;
  return v;
}
// Opcode: mov.type d, {a, b, ..}    Synopsis: d = a in its lowest bits, b above, ..
static SL_NULLARY(op_mov_pack_b32, uint32_t, pack_lane(w, i->ext, l))
static SL_NULLARY(op_mov_pack_b64, uint64_t, pack_lane(w, i->ext, l))
// Opcode: mov.b64 d, {a, b}         Synopsis: the common case of the above: two halves of 32 bits
static SL_BINARY(op_mov_join_b64, uint64_t, uint32_t, uint32_t, (uint64_t)b << 32 | a)

static void unpack(sl_warp *w, const pack *p, const uint64_t v[SL_LANES]) {
  for (uint32_t k = 0; k < p->n; k++) {
    uint32_t r[SL_LANES];
    for (int l = 0; l < SL_LANES; l++) r[l] = (uint32_t)low(v[l] >> k * p->bits, p->bits);
    sl__put32_opt(w, p->at[k], r);
  }
}
// Opcode: mov.type {d, e, ..}, a    Synopsis: d = lowest bits of a, e = those above, ..; _ takes none
static sl_step op_mov_unpack_b32(sl_warp *w, const sl_xinsn *i) {
  const uint32_t *a = sl__u32(w, i->s[0]);
  uint64_t v[SL_LANES];
  for (int l = 0; l < SL_LANES; l++) v[l] = a[l];
  unpack(w, i->ext, v);
  return SL_STEP;
}
static sl_step op_mov_unpack_b64(sl_warp *w, const sl_xinsn *i) {
  uint64_t v[SL_LANES];
  memcpy(v, sl__u64(w, i->s[0]), sizeof v);
  unpack(w, i->ext, v);
  return SL_STEP;
}

// Opcode: mov.b128 d, {a, b}; mov.b128 {d, e}, a    Synopsis: halves of 64 bits in and out
static sl_step op_mov_pack_b128(sl_warp *w, const sl_xinsn *i) {
  const pack *p = i->ext;
  uint64_t high[SL_LANES];
  memcpy(high, sl__u64(w, p->at[1]), sizeof high);
  sl__put64(w, i->d, sl__u64(w, p->at[0]));
  sl__put64(w, i->d + SL_HALF_128, high);
  return SL_STEP;
}
static sl_step op_mov_unpack_b128(sl_warp *w, const sl_xinsn *i) {
  const pack *p = i->ext;
  for (uint32_t k = 0; k < 2; k++)
    if (p->at[k] != SL_NO_SLOT) sl__put64(w, p->at[k], sl__u64(w, i->s[0] + k * SL_HALF_128));
  return SL_STEP;
}

static const sl_form mov_forms[] = {
    {"mov.{b16,u16,s16,f16,bf16,b32,u32,s32,f32,f16x2,bf16x2}", "dt", op_mov_b32, 0},
    {"mov.{b64,u64,s64,f64}", "dt", op_mov_b64, 0},
    {"mov.b128", "dt", op_mov_b128, 0},
    {"mov.pred", "Pp", op_mov_pred, 0},
};
static const sl_form pack_forms[] = {{"mov.b16", "", op_mov_pack_b32, 0}, {"mov.b32", "", op_mov_pack_b32, 0}, {"mov.b64", "", op_mov_pack_b64, 0},
                                     {"mov.b128", "", op_mov_pack_b128, 0}};
static const sl_form unpack_forms[] = {{"mov.b16", "", op_mov_unpack_b32, 0}, {"mov.b32", "", op_mov_unpack_b32, 0}, {"mov.b64", "", op_mov_unpack_b64, 0},
                                       {"mov.b128", "", op_mov_unpack_b128, 0}};

// Slots of the elements of vector operand [v], which together have [total] bits.
static bool decode_pack(sl_decoder *dc, const sl_ptx_insn *in, const sl_operand *v, unsigned total, bool is_dst, pack *p) {
  p->n = v->n_elems;
  if (p->n != 2 && p->n != 4) return sl__refuse(dc, in, "a vector of mov has 2 or 4 elements, not %u", v->n_elems);
  p->bits = total / p->n;
  if (p->bits < 8 || (total == 128 && p->bits != 64)) return sl__refuse(dc, in, "elements of %u bits", p->bits);
  sl_ptx_mod type = p->bits == 64 ? SL_M_b64 : p->bits == 32 ? SL_M_b32 : p->bits == 16 ? SL_M_b16 : SL_M_b8;
  for (uint32_t k = 0; k < p->n; k++) {
    const sl_operand *o = sl__elem(dc, v, k);
    unsigned have = sl__operand_bits(dc, o), want = p->bits == 8 ? 16 : p->bits;
    p->at[k] = SL_NO_SLOT;
    if (o->kind == SL_O_SINK && is_dst) continue;
    if (have && have != want)
      return sl__refuse(dc, in, "element %u is a register of %u bits where %u are needed", k + 1, have, want);
    if (!(is_dst ? sl__dst(dc, o, &p->at[k]) : sl__src(dc, o, type, &p->at[k]))) return false;
  }
  return true;
}

static bool decode_vector(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x, bool packs) {
  const sl_form *f = packs ? sl__find_form(in, pack_forms, SL_COUNT(pack_forms))
                           : sl__find_form(in, unpack_forms, SL_COUNT(unpack_forms));
  if (!f) return sl__refuse(dc, in, "a vector operand of mov needs type b16, b32, b64 or b128");
  sl_ptx_mod type = sl__form_type(in);
  pack *p = sl__decode_alloc(dc, sizeof *p);
  x->fn = f->fn;
  x->ext = p;
  if (!decode_pack(dc, in, &in->ops[packs], sl_ptx_type_bits(type), !packs, p)) return false;
  if (!packs) return sl__src_exact(dc, in, &in->ops[1], type, &x->s[0]);
  if (p->n == 2 && p->bits == 32) { x->fn = op_mov_join_b64; x->s[0] = p->at[0]; x->s[1] = p->at[1]; }
  return sl__dst_exact(dc, in, &in->ops[0], sl_ptx_type_bits(type), &x->d);
}

bool sl__decode_mov(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  x->d2 = SL_NO_SLOT;
  if (in->n_ops != 2) return sl__refuse(dc, in, "it takes 2 operands, not %u", in->n_ops);
  if (in->ops[0].kind == SL_O_VEC) return decode_vector(dc, in, x, false);
  if (in->ops[1].kind == SL_O_VEC) return decode_vector(dc, in, x, true);
  return sl__decode_form(dc, in, x, mov_forms, SL_COUNT(mov_forms));
}
