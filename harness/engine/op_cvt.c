// cvt: conversions. Interface: sl__decode_cvt. Source and destination registers may be wider than their
// types; the result is extended to the register by the sign of its type. Common conversions have handlers of
// their own, chosen by what they do to the lanes; all others run lane by lane by x->ext in cvt_slow.c.

// clang-format off
#include "engine/cvt.h"

// Opcode: cvt.dtype.stype d, a (integers)
//   Synopsis: d = a cut to the narrower type, extended to the lane of d
static SL_UNARY(op_cvt_u8_32, uint32_t, uint32_t, (uint8_t)a)
static SL_UNARY(op_cvt_s8_32, uint32_t, uint32_t, (int8_t)a)
static SL_UNARY(op_cvt_u16_32, uint32_t, uint32_t, (uint16_t)a)
static SL_UNARY(op_cvt_s16_32, uint32_t, uint32_t, (int16_t)a)
static SL_UNARY(op_cvt_b32_32, uint32_t, uint32_t, a)
static SL_UNARY(op_cvt_u8_64, uint64_t, uint32_t, (uint8_t)a)
static SL_UNARY(op_cvt_s8_64, uint64_t, uint32_t, (int8_t)a)
static SL_UNARY(op_cvt_u16_64, uint64_t, uint32_t, (uint16_t)a)
static SL_UNARY(op_cvt_s16_64, uint64_t, uint32_t, (int16_t)a)
static SL_UNARY(op_cvt_u32_64, uint64_t, uint32_t, a)
static SL_UNARY(op_cvt_s32_64, uint64_t, int32_t, a)
static SL_UNARY(op_cvt_u8_of_64, uint32_t, uint64_t, (uint8_t)a)
static SL_UNARY(op_cvt_s8_of_64, uint32_t, uint64_t, (int8_t)a)
static SL_UNARY(op_cvt_u16_of_64, uint32_t, uint64_t, (uint16_t)a)
static SL_UNARY(op_cvt_s16_of_64, uint32_t, uint64_t, (int16_t)a)
static SL_UNARY(op_cvt_b32_of_64, uint32_t, uint64_t, a)
static SL_UNARY(op_cvt_b64_64, uint64_t, uint64_t, a)

// Opcode: cvt.rn.f32.s32 d, a               Synopsis: d = a to the nearest
static SL_UNARY(op_cvt_rn_f32_s32, float, int32_t, (float)a)
static SL_UNARY(op_cvt_rn_f32_u32, float, uint32_t, (float)a)
static SL_UNARY(op_cvt_rn_f64_s32, double, int32_t, (double)a)
static SL_UNARY(op_cvt_rn_f64_u32, double, uint32_t, (double)a)

// Opcode: cvt.f64.f32 d, a                  Synopsis: d = a
static SL_UNARY(op_cvt_f64_f32, uint64_t, float, sl__quiet64((double)a))
// Opcode: cvt.rn.f32.f64 d, a               Synopsis: d = a to the nearest
static SL_UNARY(op_cvt_rn_f32_f64, uint32_t, double, sl__quiet32((float)a))

// Float to integer, rounded towards zero; out of range: the nearest number of the type; NaN: 0.
static inline int32_t trunc_s32(float a) {
  return a != a ? 0 : a >= 0x1p31f ? INT32_MAX : a < -0x1p31f ? INT32_MIN : (int32_t)a;
}
static inline uint32_t trunc_u32(float a) { return !(a > 0) ? 0 : a >= 0x1p32f ? SL_FULL : (uint32_t)a; }
// Opcode: cvt.rzi.s32.f32 d, a              Synopsis: d = whole part of a, clamped
static SL_UNARY(op_cvt_rzi_s32_f32, int32_t, float, trunc_s32(a))
static SL_UNARY(op_cvt_rzi_u32_f32, uint32_t, float, trunc_u32(a))

// How a type is kept, by sl_ptx_mod.
#define INTEGER(b, s) {.bits = (b), .is_signed = (s)}
#define FLOAT(b, f) {.bits = (b), .is_float = true, .format = &(f)}
static const sl_cvt_type types[SL_M_COUNT_] = {
    [SL_M_u8] = INTEGER(8, false),   [SL_M_s8] = INTEGER(8, true),   [SL_M_u16] = INTEGER(16, false),
    [SL_M_s16] = INTEGER(16, true),  [SL_M_u32] = INTEGER(32, false), [SL_M_s32] = INTEGER(32, true),
    [SL_M_u64] = INTEGER(64, false), [SL_M_s64] = INTEGER(64, true),
    [SL_M_f16] = FLOAT(16, sl__fmt_f16), [SL_M_bf16] = FLOAT(16, sl__fmt_bf16), [SL_M_f32] = FLOAT(32, sl__fmt_f32),
    [SL_M_f64] = FLOAT(64, sl__fmt_f64), [SL_M_tf32] = FLOAT(32, sl__fmt_tf32)};

// The lane-wise handlers of integers: from a type in a lane of 32 or 64 bits to such a lane.
typedef struct int_cvt { uint8_t bits, is_signed, from, to; sl_op_fn fn; } int_cvt;
static const int_cvt int_cvts[] = {
    {8, 0, 32, 32, op_cvt_u8_32},     {8, 1, 32, 32, op_cvt_s8_32},     {16, 0, 32, 32, op_cvt_u16_32},
    {16, 1, 32, 32, op_cvt_s16_32},   {32, 0, 32, 32, op_cvt_b32_32},   {32, 1, 32, 32, op_cvt_b32_32},
    {8, 0, 32, 64, op_cvt_u8_64},     {8, 1, 32, 64, op_cvt_s8_64},     {16, 0, 32, 64, op_cvt_u16_64},
    {16, 1, 32, 64, op_cvt_s16_64},   {32, 0, 32, 64, op_cvt_u32_64},   {32, 1, 32, 64, op_cvt_s32_64},
    {8, 0, 64, 32, op_cvt_u8_of_64},  {8, 1, 64, 32, op_cvt_s8_of_64},  {16, 0, 64, 32, op_cvt_u16_of_64},
    {16, 1, 64, 32, op_cvt_s16_of_64}, {32, 0, 64, 32, op_cvt_b32_of_64}, {32, 1, 64, 32, op_cvt_b32_of_64},
    {64, 0, 64, 64, op_cvt_b64_64},   {64, 1, 64, 64, op_cvt_b64_64}};

// A handler that cuts to the narrower type and extends by its sign. That is enough if d's lane is as wide as
// its type, or if d's type has the sign of the narrower one. NULL: it is not, or there is no such handler.
static sl_op_fn find_int(const sl_cvt *c) {
  const sl_cvt_type *narrow = c->to.bits <= c->from.bits ? &c->to : &c->from;
  bool whole = c->to.bits == c->to_lane || narrow == &c->to || c->to.is_signed == c->from.is_signed;
  if (c->to.is_float || c->from.is_float || c->flags & SL_F_SAT || !whole) return NULL;
  for (size_t k = 0; k < SL_COUNT(int_cvts); k++) {
    const int_cvt *t = &int_cvts[k];
    if (t->bits == narrow->bits && t->is_signed == narrow->is_signed && t->from == c->from_lane && t->to == c->to_lane)
      return t->fn;
  }
  return NULL;
}

#define INT_T "{u8,s8,u16,s16,u32,s32,u64,s64}"
// Forms with a handler of their own, if the registers are as wide as the types; then every form there is.
static const sl_form fast_forms[] = {
    {"cvt.rn.f32.s32", NULL, op_cvt_rn_f32_s32, 0},   {"cvt.rn.f32.u32", NULL, op_cvt_rn_f32_u32, 0},
    {"cvt.rn.f64.s32", NULL, op_cvt_rn_f64_s32, 0},   {"cvt.rn.f64.u32", NULL, op_cvt_rn_f64_u32, 0},
    {"cvt.f64.f32", NULL, op_cvt_f64_f32, 0},         {"cvt.rn.f32.f64", NULL, op_cvt_rn_f32_f64, 0},
    {"cvt.rzi.s32.f32", NULL, op_cvt_rzi_s32_f32, 0}, {"cvt.rzi.u32.f32", NULL, op_cvt_rzi_u32_f32, 0},
};
static const sl_form cvt_forms[] = {
    {"cvt{,.sat}." INT_T "." INT_T, NULL, sl__op_cvt_slow, 0},
    {"cvt.{rni,rzi,rmi,rpi}{,.ftz}{,.sat}." INT_T ".f32", NULL, sl__op_cvt_slow, 0},
    {"cvt.{rni,rzi,rmi,rpi}{,.sat}." INT_T ".{f64,f16,bf16}", NULL, sl__op_cvt_slow, 0},
    {"cvt.{rn,rz,rm,rp}{,.sat}.{f32,f64,f16,bf16}." INT_T, NULL, sl__op_cvt_slow, 0},
    {"cvt.{rn,rz,rm,rp}{,.ftz}{,.sat}.f16.f32", NULL, sl__op_cvt_slow, 0},
    {"cvt.{rn,rz,rm,rp}{,.ftz}{,.sat}.f32.f64", NULL, sl__op_cvt_slow, 0},
    {"cvt.{rn,rz,rm,rp}{,.sat}.f16.f64", NULL, sl__op_cvt_slow, 0},
    {"cvt{,.ftz}{,.sat}.{f64,f32}.f32", NULL, sl__op_cvt_slow, 0},
    {"cvt{,.sat}.f64.{f64,f16,bf16}", NULL, sl__op_cvt_slow, 0},
    {"cvt{,.sat}.f32.{f16,bf16}", NULL, sl__op_cvt_slow, 0},
    {"cvt.ftz{,.sat}.f32.{f16,bf16}", NULL, sl__op_cvt_slow, 0},
    {"cvt.{rni,rzi,rmi,rpi}{,.ftz}{,.sat}.f32.f32", NULL, sl__op_cvt_slow, 0},
    {"cvt.{rni,rzi,rmi,rpi}{,.sat}.f64.f64", NULL, sl__op_cvt_slow, 0},
    {"cvt.{rni,rzi,rmi,rpi}{,.sat}.f16.f16", NULL, sl__op_cvt_slow, 0},
    {"cvt.{rni,rzi,rmi,rpi}.bf16.bf16", NULL, sl__op_cvt_slow, 0},
    {"cvt.{rn,rz,rm,rp}{,.relu}.bf16.f32", NULL, sl__op_cvt_slow, 0},
    {"cvt.{rn,rz}.relu.f16.f32", NULL, sl__op_cvt_slow, 0},
    {"cvt.{rn,rz,rm,rp}.bf16.{f64,f16}", NULL, sl__op_cvt_slow, 0},
    {"cvt.{rn,rz,rm,rp}.f16.bf16", NULL, sl__op_cvt_slow, 0},
    {"cvt.{rna,rn,rz}{,.relu}.tf32.f32", NULL, sl__op_cvt_slow, 0},
};
static const sl_form pair_forms[] = {{"cvt.{rn,rz}{,.relu}.{f16x2,bf16x2}.f32", "dtt", sl__op_cvt_pair, 0}};

// Opcode: cvt.pack.sat.type.s32{.b32} d, a, b{, c}
//   Synopsis: d = a, b as the nearest numbers of a small type, c above them
static sl_step op_cvt_pack(sl_warp *w, const sl_xinsn *i) {
  const uint32_t *a = sl__u32(w, i->s[0]), *b = sl__u32(w, i->s[1]), *c = i->s[2] == SL_NO_SLOT ? NULL : sl__u32(w, i->s[2]);
  uint32_t bits = i->aux, mask = (1u << bits) - 1, r[SL_LANES];
  int32_t low = i->imm ? -(1 << (bits - 1)) : 0, high = (int32_t)mask + low;
  for (int l = 0; l < SL_LANES; l++) {
    int32_t x = (int32_t)a[l], y = (int32_t)b[l];
    x = x < low ? low : x > high ? high : x, y = y < low ? low : y > high ? high : y;
    r[l] = ((uint32_t)x & mask) << bits | ((uint32_t)y & mask);
    if (c) r[l] |= c[l] << 2 * bits;
  }
  sl__put32(w, i->d, r);
  return SL_STEP;
}

static bool decode_pack(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  static const struct { sl_ptx_mod type; uint32_t bits; bool is_signed; } TYPES[] = {
      {SL_M_u16, 16, false}, {SL_M_s16, 16, true}, {SL_M_u8, 8, false}, {SL_M_s8, 8, true},
      {SL_M_u4, 4, false},   {SL_M_s4, 4, true},   {SL_M_u2, 2, false}, {SL_M_s2, 2, true}};
  for (size_t k = 0; k < SL_COUNT(TYPES) && in->n_mods > 3; k++)
    if (TYPES[k].type == in->mods[2]) x->aux = TYPES[k].bits, x->imm = TYPES[k].is_signed;
  bool three = in->n_ops == 4;
  if (in->mods[1] != SL_M_sat || !x->aux || in->mods[3] != SL_M_s32 || three != (x->aux < 16))
    return sl__refuse(dc, in, "this form of cvt.pack is not known");
  int64_t is_signed = x->imm;
  uint32_t bits = x->aux;
  x->s[2] = SL_NO_SLOT;
  if (!sl__decode_operands(dc, in, x, three ? "wuuu" : "wuu", SL_M_u32)) return false;
  x->fn = op_cvt_pack, x->aux = bits, x->imm = is_signed;
  return true;
}

static bool is_rounding_to_integer(const sl_ptx_insn *in) {
  uint8_t m = in->mods[0];
  return m == SL_M_rni || m == SL_M_rzi || m == SL_M_rmi || m == SL_M_rpi;
}

// The width of a register operand's lane, else that of its type.
static uint8_t lane_of(sl_decoder *dc, const sl_operand *o, unsigned type_bits) {
  unsigned bits = sl__operand_bits(dc, o);
  return (bits ? bits : type_bits) > 32 ? 64 : 32;
}

static bool check_registers(sl_decoder *dc, const sl_ptx_insn *in, const sl_cvt *c) {
  unsigned d = sl__operand_bits(dc, &in->ops[0]), s = sl__operand_bits(dc, &in->ops[1]);
  if (in->ops[0].kind != SL_O_REG || d < 16 || d > 64) return sl__refuse(dc, in, "the destination must be a register");
  if (s == 1 || s > 64) return sl__refuse(dc, in, "a predicate or a register of 128 bits cannot be converted");
  if (d < c->to.bits || (s && s < c->from.bits))
    return sl__refuse(dc, in, "a register is narrower than its type");
  if ((c->to.is_float && d != c->to.bits) || (c->from.is_float && s && s != c->from.bits))
    return sl__refuse(dc, in, "a float needs a register of its own width");
  return true;
}

static bool decode_scalar(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x, sl_ptx_mod to, sl_ptx_mod from) {
  sl_cvt *c = sl__decode_alloc(dc, sizeof *c);
  *c = (sl_cvt){.to = types[to], .from = types[from], .flags = sl__form_flags(in), .to_integral = is_rounding_to_integer(in)};
  if (in->n_ops != 2) return sl__refuse(dc, in, "it takes 2 operands, not %u", in->n_ops);
  if (!check_registers(dc, in, c)) return false;
  c->to_lane = lane_of(dc, &in->ops[0], c->to.bits);
  c->from_lane = lane_of(dc, &in->ops[1], c->from.bits);
  x->ext = c;
  const sl_form *fast = sl__find_form(in, fast_forms, SL_COUNT(fast_forms));
  sl_op_fn fn = find_int(c);
  if (fast && (c->from_lane == 64) == (c->from.bits == 64) && (c->to_lane == 64) == (c->to.bits == 64)) fn = fast->fn;
  if (fn) x->fn = fn;
  sl_ptx_mod read = c->from.is_float ? from : c->from_lane == 64 ? SL_M_s64 : SL_M_s32;
  return sl__dst(dc, &in->ops[0], &x->d) && sl__src(dc, &in->ops[1], read, &x->s[0]);
}

bool sl__decode_cvt(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  bool is_fp8, ok = sl__decode_fp8(dc, in, x, &is_fp8);
  if (is_fp8) return ok;
  if (in->n_mods && in->mods[0] == SL_M_pack) return decode_pack(dc, in, x);
  if (sl__find_form(in, pair_forms, SL_COUNT(pair_forms))) return sl__decode_cvt_pair(dc, in, x);
  const sl_form *f = sl__find_form(in, cvt_forms, SL_COUNT(cvt_forms));
  if (!f) return sl__refuse(dc, in, "this conversion is not supported");
  x->fn = f->fn;
  x->d2 = SL_NO_SLOT;
  return decode_scalar(dc, in, x, in->mods[in->n_mods - 2], in->mods[in->n_mods - 1]);
}
