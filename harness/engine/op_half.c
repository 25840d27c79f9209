// Half precision: add sub mul fma neg abs min max ex2 tanh of f16, bf16 and pairs of them (f16x2, bf16x2).
// Interface: sl__decode_half. A half is widened to double. There the sum and the product of two halves are
// exact, or differ from a tie by more than the double loses, so one rounding, in sl__half_from_double, gives
// the correct result. The exact sum of fma can be wider than a double: it is first rounded to odd, which does
// not change the later rounding.

// clang-format off
#include "engine/form.h"
#include "engine/half.h"

// a * b + c rounded to odd: an inexact result gets its last bit set.
static double fma_odd(double a, double b, double c) {
  double p = a * b, s = p + c;  // p is exact
  double t = s - p, lost = (p - (s - t)) + (c - t);
  uint64_t u = sl__u64_of(s);
  if (lost == 0 || !isfinite(s) || u & 1) return s;
  return sl__f64((lost > 0) == (s > 0) ? u + 1 : u - 1);
}

// One half: computes on values a, b, c of type [type].
typedef double (*half_op)(double a, double b, double c);
static double half_add(double a, double b, double) { return a + b; }
static double half_sub(double a, double b, double) { return a - b; }
static double half_mul(double a, double b, double) { return a * b; }
static double half_ex2(double a, double, double) { return exp2(a); }
static double half_tanh(double a, double, double) { return tanh(a); }

static double widen(uint16_t h, sl_ptx_mod type, uint32_t flags) {
  float f = sl__half_to_float(h, type);
  return flags & SL_F_FTZ ? sl__half_flush(f, type) : f;
}

static uint16_t narrow(double v, sl_ptx_mod type, uint32_t flags) {
  uint16_t h = sl__half_from_double(v, type);
  if (flags & SL_F_SAT && !(v > 0)) return 0;
  if (flags & SL_F_SAT && v >= 1) return sl__half_from_double(1, type);
  if (flags & SL_F_RELU && v <= 0) return 0;
  // as sl__tiny (float.h)
  if (flags & SL_F_FTZ && fabs(v) < (sl__is_bf16(type) ? 0x1.ffp-127 : 0x1.ffep-15)) h &= 0x8000;
  return h;
}

// A handler that runs OP on the halves of each lane: NAME one, NAME with a pair flag two.
static sl_step half_lanes(sl_warp *w, const sl_xinsn *i, half_op op) {
  const uint32_t *a = sl__u32(w, i->s[0]), *b = sl__u32(w, i->s[1]), *c = sl__u32(w, i->s[2]);
  sl_ptx_mod type = (sl_ptx_mod)i->imm;
  unsigned top = type == SL_M_f16x2 || type == SL_M_bf16x2 ? 16 : 0;
  uint32_t r[SL_LANES] = {0};
  for (int l = 0; l < SL_LANES; l++)
    for (unsigned k = 0; k <= top; k += 16) {
      double v = op(widen((uint16_t)(a[l] >> k), type, i->aux), widen((uint16_t)(b[l] >> k), type, i->aux),
                    widen((uint16_t)(c[l] >> k), type, i->aux));
      r[l] |= (uint32_t)narrow(v, type, i->aux) << k;
    }
  sl__put32(w, i->d, r);
  return SL_STEP;
}
// Opcode: add{.rn}{.ftz}{.sat}.f16 d, a, b      Synopsis: d = a + b; so too sub, mul, and the other types
static sl_step op_add_f16(sl_warp *w, const sl_xinsn *i) { return half_lanes(w, i, half_add); }
static sl_step op_sub_f16(sl_warp *w, const sl_xinsn *i) { return half_lanes(w, i, half_sub); }
static sl_step op_mul_f16(sl_warp *w, const sl_xinsn *i) { return half_lanes(w, i, half_mul); }
// Opcode: fma.rn{.ftz}{.sat}{.relu}.f16 d, a, b, c   Synopsis: d = a * b + c, rounded once
static sl_step op_fma_f16(sl_warp *w, const sl_xinsn *i) { return half_lanes(w, i, fma_odd); }
// Opcode: ex2.approx.f16 d, a                   Synopsis: d = 2 to the power of a
static sl_step op_ex2_f16(sl_warp *w, const sl_xinsn *i) { return half_lanes(w, i, half_ex2); }
// Opcode: tanh.approx.f16 d, a                  Synopsis: d = hyperbolic tangent of a
static sl_step op_tanh_f16(sl_warp *w, const sl_xinsn *i) { return half_lanes(w, i, half_tanh); }

static uint16_t flush_bits(uint16_t h, sl_ptx_mod type, uint32_t flags) {
  return flags & SL_F_FTZ && sl__half_flush(sl__half_to_float(h, type), type) == 0 ? h & 0x8000 : h;
}

// The larger (smaller) of two halves, by the rules of op_float.c.
static uint16_t choose_half(uint16_t a, uint16_t b, sl_ptx_mod type, uint32_t flags, bool is_max) {
  a = flush_bits(a, type, flags);
  b = flush_bits(b, type, flags);
  uint16_t sign = flags & SL_F_XORSIGN ? (a ^ b) & 0x8000 : 0;
  if (flags & SL_F_XORSIGN) { a &= 0x7fff; b &= 0x7fff; }
  float x = sl__half_to_float(a, type), y = sl__half_to_float(b, type);
  if (isnan(x) || isnan(y)) {
    if (flags & SL_F_NAN || (isnan(x) && isnan(y))) return SL_NAN16;
    return (isnan(x) ? b : a) | sign;
  }
  if (x == y) return (is_max ? a & b : a | b) | sign;
  return ((x < y) == is_max ? b : a) | sign;
}
static uint32_t choose_pair(uint32_t a, uint32_t b, const sl_xinsn *i, bool is_max) {
  sl_ptx_mod type = (sl_ptx_mod)i->imm;
  return choose_half((uint16_t)a, (uint16_t)b, type, i->aux, is_max) |
         (uint32_t)choose_half((uint16_t)(a >> 16), (uint16_t)(b >> 16), type, i->aux, is_max) << 16;
}
// Opcode: min{.ftz}{.NaN}{.xorsign.abs}.f16 d, a, b   Synopsis: d = the smaller of a and b
static SL_BINARY(op_min_f16, uint32_t, uint32_t, uint32_t, choose_pair(a, b, i, false))
// Opcode: max{.ftz}{.NaN}{.xorsign.abs}.f16 d, a, b   Synopsis: d = the larger of a and b
static SL_BINARY(op_max_f16, uint32_t, uint32_t, uint32_t, choose_pair(a, b, i, true))

// Both halves flushed as x->aux says.
static inline uint32_t flush_pair(uint32_t a, const sl_xinsn *i) {
  sl_ptx_mod type = (sl_ptx_mod)i->imm;
  return flush_bits((uint16_t)a, type, i->aux) | (uint32_t)flush_bits((uint16_t)(a >> 16), type, i->aux) << 16;
}
// Opcode: abs{.ftz}.f16 d, a                    Synopsis: d = |a|
static SL_UNARY(op_abs_f16, uint32_t, uint32_t, flush_pair(a, i) & 0x7fff7fff)
// Opcode: neg{.ftz}.f16 d, a                    Synopsis: d = -a
static SL_UNARY(op_neg_f16, uint32_t, uint32_t, flush_pair(a, i) ^ 0x80008000)

#define F16 "{f16,f16x2}"
#define BF16 "{bf16,bf16x2}"
#define HALF "{f16,f16x2,bf16,bf16x2}"
static const sl_form half_forms[] = {
    {"add{,.rn}{,.ftz}{,.sat}." F16, "dtt", op_add_f16, SL_CLS_ADD_FLOAT},
    {"add{,.rn}." BF16, "dtt", op_add_f16, SL_CLS_ADD_FLOAT},
    {"sub{,.rn}{,.ftz}{,.sat}." F16, "dtt", op_sub_f16, SL_CLS_ADD_FLOAT},
    {"sub{,.rn}." BF16, "dtt", op_sub_f16, SL_CLS_ADD_FLOAT},
    {"mul{,.rn}{,.ftz}{,.sat}." F16, "dtt", op_mul_f16, 0},
    {"mul{,.rn}." BF16, "dtt", op_mul_f16, 0},
    {"fma.rn{,.ftz}{,.sat}." F16, "dttt", op_fma_f16, SL_CLS_FMA},
    {"fma.rn{,.ftz}.relu." F16, "dttt", op_fma_f16, SL_CLS_FMA},
    {"fma.rn{,.relu}." BF16, "dttt", op_fma_f16, SL_CLS_FMA},
    {"abs{,.ftz}." F16, "dt", op_abs_f16, 0},
    {"abs." BF16, "dt", op_abs_f16, 0},
    {"neg{,.ftz}." F16, "dt", op_neg_f16, 0},
    {"neg." BF16, "dt", op_neg_f16, 0},
    {"min{,.ftz}{,.nan}{,.xorsign}{,.abs}." F16, "dtt", op_min_f16, 0},
    {"min{,.nan}{,.xorsign}{,.abs}." BF16, "dtt", op_min_f16, 0},
    {"max{,.ftz}{,.nan}{,.xorsign}{,.abs}." F16, "dtt", op_max_f16, 0},
    {"max{,.nan}{,.xorsign}{,.abs}." BF16, "dtt", op_max_f16, 0},
    {"ex2.approx." F16, "dt", op_ex2_f16, 0},
    {"ex2.approx.ftz." BF16, "dt", op_ex2_f16, 0},
    {"tanh.approx." HALF, "dt", op_tanh_f16, 0},
};

bool sl__is_half(sl_ptx_mod type) {
  return type == SL_M_f16 || type == SL_M_f16x2 || type == SL_M_bf16 || type == SL_M_bf16x2;
}

bool sl__decode_half(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  if (!sl__decode_form(dc, in, x, half_forms, SL_COUNT(half_forms))) return false;
  x->imm = sl__form_type(in);
  return true;
}
