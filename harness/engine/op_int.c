// Integer arithmetic: add sub mul mad mul24 mad24 sad div rem abs neg min max dp4a dp2a of 16, 32 and 64
// bits. Interface: sl__decode_int. It hands forms of these mnemonics on floats to op_float.c and op_half.c,
// and those with a carry to op_carry.c. Registers of 16 bits lie in 32-bit lanes with undefined upper halves.
// So add, sub, mul.lo and neg, whose low half depends only on low halves, share the 32-bit handler.

// clang-format off
#include "engine/form.h"

typedef unsigned __int128 u128;
typedef __int128 i128;

// Opcode: add.type d, a, b          Synopsis: d = a + b
static SL_BINARY(op_add_s32, uint32_t, uint32_t, uint32_t, a + b)
static SL_BINARY(op_add_s64, uint64_t, uint64_t, uint64_t, a + b)
static SL_BINARY(op_add_16x2, uint32_t, uint32_t, uint32_t, ((a + b) & 0xffff) | ((a & 0xffff0000) + (b & 0xffff0000)))
// Opcode: sub.type d, a, b          Synopsis: d = a - b
static SL_BINARY(op_sub_s32, uint32_t, uint32_t, uint32_t, a - b)
static SL_BINARY(op_sub_s64, uint64_t, uint64_t, uint64_t, a - b)

static inline int32_t clamp_s32(int64_t v) { return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int32_t)v; }
// Opcode: add.sat.s32 d, a, b       Synopsis: d = clamp(a + b)
static SL_BINARY(op_add_sat_s32, int32_t, int32_t, int32_t, clamp_s32((int64_t)a + b))
static SL_BINARY(op_sub_sat_s32, int32_t, int32_t, int32_t, clamp_s32((int64_t)a - b))

// Opcode: mul.lo.type d, a, b       Synopsis: d = low half of a * b
static SL_BINARY(op_mul_lo_s32, uint32_t, uint32_t, uint32_t, a * b)
static SL_BINARY(op_mul_lo_s64, uint64_t, uint64_t, uint64_t, a * b)
// Opcode: mul.hi.type d, a, b       Synopsis: d = high half of a * b
static SL_BINARY(op_mul_hi_u16, uint32_t, uint32_t, uint32_t, ((a & 0xffff) * (b & 0xffff)) >> 16)
static SL_BINARY(op_mul_hi_s16, uint32_t, uint32_t, uint32_t, ((int16_t)a * (int16_t)b) >> 16)
static SL_BINARY(op_mul_hi_u32, uint32_t, uint32_t, uint32_t, ((uint64_t)a * b) >> 32)
static SL_BINARY(op_mul_hi_s32, uint32_t, int32_t, int32_t, ((int64_t)a * b) >> 32)
static SL_BINARY(op_mul_hi_u64, uint64_t, uint64_t, uint64_t, ((u128)a * b) >> 64)
static SL_BINARY(op_mul_hi_s64, uint64_t, int64_t, int64_t, ((i128)a * b) >> 64)
// Opcode: mul.wide.type d, a, b     Synopsis: d (of twice the width) = a * b
static SL_BINARY(op_mul_wide_u16, uint32_t, uint32_t, uint32_t, (a & 0xffff) * (b & 0xffff))
static SL_BINARY(op_mul_wide_s16, uint32_t, uint32_t, uint32_t, (int16_t)a * (int16_t)b)
static SL_BINARY(op_mul_wide_u32, uint64_t, uint32_t, uint32_t, (uint64_t)a * b)
static SL_BINARY(op_mul_wide_s32, int64_t, int32_t, int32_t, (int64_t)a * b)

// Opcode: mad.lo.type d, a, b, c    Synopsis: d = low half of a * b, plus c
static SL_TERNARY(op_mad_lo_s32, uint32_t, uint32_t, uint32_t, uint32_t, a * b + c)
static SL_TERNARY(op_mad_lo_s64, uint64_t, uint64_t, uint64_t, uint64_t, a * b + c)
// Opcode: mad.hi.type d, a, b, c    Synopsis: d = high half of a * b, plus c
static SL_TERNARY(op_mad_hi_u16, uint32_t, uint32_t, uint32_t, uint32_t, (((a & 0xffff) * (b & 0xffff)) >> 16) + c)
static SL_TERNARY(op_mad_hi_s16, uint32_t, uint32_t, uint32_t, uint32_t, (uint32_t)(((int16_t)a * (int16_t)b) >> 16) + c)
static SL_TERNARY(op_mad_hi_u32, uint32_t, uint32_t, uint32_t, uint32_t, (((uint64_t)a * b) >> 32) + c)
static SL_TERNARY(op_mad_hi_s32, uint32_t, int32_t, int32_t, uint32_t, (uint32_t)(((int64_t)a * b) >> 32) + c)
static SL_TERNARY(op_mad_hi_sat_s32, int32_t, int32_t, int32_t, int32_t, clamp_s32((((int64_t)a * b) >> 32) + c))
static SL_TERNARY(op_mad_hi_u64, uint64_t, uint64_t, uint64_t, uint64_t, (uint64_t)(((u128)a * b) >> 64) + c)
static SL_TERNARY(op_mad_hi_s64, uint64_t, int64_t, int64_t, uint64_t, (uint64_t)(((i128)a * b) >> 64) + c)
// Opcode: mad.wide.type d, a, b, c  Synopsis: d (of twice the width) = a * b + c
static SL_TERNARY(op_mad_wide_u16, uint32_t, uint32_t, uint32_t, uint32_t, (a & 0xffff) * (b & 0xffff) + c)
static SL_TERNARY(op_mad_wide_s16, uint32_t, uint32_t, uint32_t, uint32_t, (uint32_t)((int16_t)a * (int16_t)b) + c)
static SL_TERNARY(op_mad_wide_u32, uint64_t, uint32_t, uint32_t, uint64_t, (uint64_t)a * b + c)
static SL_TERNARY(op_mad_wide_s32, uint64_t, int32_t, int32_t, uint64_t, (uint64_t)((int64_t)a * b) + c)

static inline uint64_t u24(uint32_t a) { return a & 0xffffff; }
static inline int64_t s24(uint32_t a) { return (int64_t)((uint64_t)a << 40) >> 40; }
// Opcode: mul24.lo|hi.type d, a, b  Synopsis: bits 0..31, or 16..47, of the product of 24-bit a and b
static SL_BINARY(op_mul24_lo_u32, uint32_t, uint32_t, uint32_t, u24(a) * u24(b))
static SL_BINARY(op_mul24_lo_s32, uint32_t, uint32_t, uint32_t, s24(a) * s24(b))
static SL_BINARY(op_mul24_hi_u32, uint32_t, uint32_t, uint32_t, (u24(a) * u24(b)) >> 16)
static SL_BINARY(op_mul24_hi_s32, uint32_t, uint32_t, uint32_t, (s24(a) * s24(b)) >> 16)
// Opcode: mad24.lo|hi.type d, a, b, c  Synopsis: d = mul24 of a and b, plus c
static SL_TERNARY(op_mad24_lo_u32, uint32_t, uint32_t, uint32_t, uint32_t, u24(a) * u24(b) + c)
static SL_TERNARY(op_mad24_lo_s32, uint32_t, uint32_t, uint32_t, uint32_t, (uint32_t)(s24(a) * s24(b)) + c)
static SL_TERNARY(op_mad24_hi_u32, uint32_t, uint32_t, uint32_t, uint32_t, ((u24(a) * u24(b)) >> 16) + c)
static SL_TERNARY(op_mad24_hi_s32, uint32_t, uint32_t, uint32_t, uint32_t, (uint32_t)((s24(a) * s24(b)) >> 16) + c)
static SL_TERNARY(op_mad24_hi_sat_s32, int32_t, uint32_t, uint32_t, int32_t,
                  clamp_s32((int32_t)((s24(a) * s24(b)) >> 16) + (int64_t)c))

// Opcode: sad.type d, a, b, c       Synopsis: d = c + |a - b|
static SL_TERNARY(op_sad_u16, uint32_t, uint32_t, uint32_t, uint32_t,
                  (uint16_t)a < (uint16_t)b ? c + b - a : c + a - b)
static SL_TERNARY(op_sad_s16, uint32_t, uint32_t, uint32_t, uint32_t, (int16_t)a < (int16_t)b ? c + b - a : c + a - b)
static SL_TERNARY(op_sad_u32, uint32_t, uint32_t, uint32_t, uint32_t, a < b ? c + b - a : c + a - b)
static SL_TERNARY(op_sad_s32, uint32_t, uint32_t, uint32_t, uint32_t, (int32_t)a < (int32_t)b ? c + b - a : c + a - b)
static SL_TERNARY(op_sad_u64, uint64_t, uint64_t, uint64_t, uint64_t, a < b ? c + b - a : c + a - b)
static SL_TERNARY(op_sad_s64, uint64_t, uint64_t, uint64_t, uint64_t, (int64_t)a < (int64_t)b ? c + b - a : c + a - b)

// Division by zero gives all ones, also as a remainder; the lowest number / -1 gives itself, remainder 0.
// Opcode: div.type d, a, b          Synopsis: d = a / b, towards zero
static SL_BINARY(op_div_u16, uint32_t, uint32_t, uint32_t, (uint16_t)b ? (uint32_t)((uint16_t)a / (uint16_t)b) : SL_FULL)
static SL_BINARY(op_div_s16, uint32_t, uint32_t, uint32_t, (int16_t)b ? (int16_t)a / (int16_t)b : -1)
static SL_BINARY(op_div_u32, uint32_t, uint32_t, uint32_t, b ? a / b : SL_FULL)
static SL_BINARY(op_div_s32, uint32_t, int32_t, int32_t, b == 0 ? -1 : b == -1 ? (int32_t)-(uint32_t)a : a / b)
static SL_BINARY(op_div_u64, uint64_t, uint64_t, uint64_t, b ? a / b : ~0ull)
static SL_BINARY(op_div_s64, uint64_t, int64_t, int64_t, b == 0 ? -1 : b == -1 ? (int64_t)-(uint64_t)a : a / b)
// Opcode: rem.type d, a, b          Synopsis: d = a - a / b * b
static SL_BINARY(op_rem_u16, uint32_t, uint32_t, uint32_t, (uint16_t)b ? (uint32_t)((uint16_t)a % (uint16_t)b) : SL_FULL)
static SL_BINARY(op_rem_s16, uint32_t, uint32_t, uint32_t, (int16_t)b ? (int16_t)a % (int16_t)b : -1)
static SL_BINARY(op_rem_u32, uint32_t, uint32_t, uint32_t, b ? a % b : SL_FULL)
static SL_BINARY(op_rem_s32, uint32_t, int32_t, int32_t, b == 0 ? -1 : b == -1 ? 0 : a % b)
static SL_BINARY(op_rem_u64, uint64_t, uint64_t, uint64_t, b ? a % b : ~0ull)
static SL_BINARY(op_rem_s64, uint64_t, int64_t, int64_t, b == 0 ? -1 : b == -1 ? 0 : a % b)

// Opcode: abs.type d, a             Synopsis: d = |a|; the lowest number stays
static SL_UNARY(op_abs_s16, uint32_t, uint32_t, (int16_t)a < 0 ? -a : a)
static SL_UNARY(op_abs_s32, uint32_t, uint32_t, (int32_t)a < 0 ? -a : a)
static SL_UNARY(op_abs_s64, uint64_t, uint64_t, (int64_t)a < 0 ? -a : a)
// Opcode: neg.type d, a             Synopsis: d = -a
static SL_UNARY(op_neg_s32, uint32_t, uint32_t, -a)
static SL_UNARY(op_neg_s64, uint64_t, uint64_t, -a)

// Opcode: min.type d, a, b          Synopsis: d = the smaller of a and b
static SL_BINARY(op_min_u16, uint32_t, uint32_t, uint32_t, (uint16_t)a < (uint16_t)b ? a : b)
static SL_BINARY(op_min_s16, uint32_t, uint32_t, uint32_t, (int16_t)a < (int16_t)b ? a : b)
static SL_BINARY(op_min_u32, uint32_t, uint32_t, uint32_t, a < b ? a : b)
static SL_BINARY(op_min_s32, int32_t, int32_t, int32_t, a < b ? a : b)
static SL_BINARY(op_min_u64, uint64_t, uint64_t, uint64_t, a < b ? a : b)
static SL_BINARY(op_min_s64, int64_t, int64_t, int64_t, a < b ? a : b)
// Opcode: max.type d, a, b          Synopsis: d = the larger of a and b
static SL_BINARY(op_max_u16, uint32_t, uint32_t, uint32_t, (uint16_t)a > (uint16_t)b ? a : b)
static SL_BINARY(op_max_s16, uint32_t, uint32_t, uint32_t, (int16_t)a > (int16_t)b ? a : b)
static SL_BINARY(op_max_u32, uint32_t, uint32_t, uint32_t, a > b ? a : b)
static SL_BINARY(op_max_s32, int32_t, int32_t, int32_t, a > b ? a : b)
static SL_BINARY(op_max_u64, uint64_t, uint64_t, uint64_t, a > b ? a : b)
static SL_BINARY(op_max_s64, int64_t, int64_t, int64_t, a > b ? a : b)

// A pair of 16-bit halves, the larger or smaller of each.
#define HALVES(T, OP) \
  (((T)a OP (T)b ? a : b) & 0xffff) | (((T)(a >> 16) OP (T)(b >> 16) ? a : b) & 0xffff0000)
static SL_BINARY(op_min_u16x2, uint32_t, uint32_t, uint32_t, HALVES(uint16_t, <))
static SL_BINARY(op_min_s16x2, uint32_t, uint32_t, uint32_t, HALVES(int16_t, <))
static SL_BINARY(op_max_u16x2, uint32_t, uint32_t, uint32_t, HALVES(uint16_t, >))
static SL_BINARY(op_max_s16x2, uint32_t, uint32_t, uint32_t, HALVES(int16_t, >))
// Opcode: min.s32.relu, max.s16x2.relu, ..  Synopsis: what is below 0 becomes 0
static inline uint32_t not_below(uint32_t v) { return ((int16_t)v < 0 ? 0 : v & 0xffff) | ((int32_t)v < 0 ? 0 : v & 0xffff0000); }
static SL_BINARY(op_min_relu_s32, int32_t, int32_t, int32_t, (a < b ? a : b) < 0 ? 0 : a < b ? a : b)
static SL_BINARY(op_max_relu_s32, int32_t, int32_t, int32_t, (a > b ? a : b) < 0 ? 0 : a > b ? a : b)
static SL_BINARY(op_min_relu_s16x2, uint32_t, uint32_t, uint32_t, not_below(HALVES(int16_t, <)))
static SL_BINARY(op_max_relu_s16x2, uint32_t, uint32_t, uint32_t, not_below(HALVES(int16_t, >)))

// Element k of [v] in pieces of [bits], as a signed or unsigned number.
static inline int32_t piece(uint32_t v, unsigned k, unsigned bits, bool is_signed) {
  uint32_t top = v << (32 - bits * (k + 1));
  return is_signed ? (int32_t)top >> (32 - bits) : (int32_t)(top >> (32 - bits));
}
enum { DOT_A_SIGNED = 1, DOT_B_SIGNED = 2, DOT_HI = 4 };
static inline uint32_t dot4(uint32_t a, uint32_t b, uint32_t c, uint32_t how) {
  for (unsigned k = 0; k < 4; k++)
    c += (uint32_t)(piece(a, k, 8, how & DOT_A_SIGNED) * piece(b, k, 8, how & DOT_B_SIGNED));
  return c;
}
static inline uint32_t dot2(uint32_t a, uint32_t b, uint32_t c, uint32_t how) {
  for (unsigned k = 0; k < 2; k++)
    c += (uint32_t)(piece(a, k, 16, how & DOT_A_SIGNED) * piece(b, k + (how & DOT_HI ? 2 : 0), 8, how & DOT_B_SIGNED));
  return c;
}
// Opcode: dp4a.atype.btype d, a, b, c        Synopsis: d = c + sum of products of the 4 bytes of a and b
static SL_TERNARY(op_dp4a, uint32_t, uint32_t, uint32_t, uint32_t, dot4(a, b, c, i->aux))
// Opcode: dp2a.lo|hi.atype.btype d, a, b, c  Synopsis: d = c + the halves of a times the low (high) two bytes of b
static SL_TERNARY(op_dp2a, uint32_t, uint32_t, uint32_t, uint32_t, dot2(a, b, c, i->aux))

static const sl_form int_forms[] = {
    {"add.{u32,s32,u16,s16}", "dtt", op_add_s32, SL_CLS_ADD_INT},
    {"add.{u64,s64}", "dtt", op_add_s64, SL_CLS_ADD_INT},
    {"add.sat.s32", "dtt", op_add_sat_s32, SL_CLS_ADD_INT},
    {"add.{u16x2,s16x2}", "dtt", op_add_16x2, SL_CLS_ADD_INT},
    {"sub.{u32,s32,u16,s16}", "dtt", op_sub_s32, 0},
    {"sub.{u64,s64}", "dtt", op_sub_s64, 0},
    {"sub.sat.s32", "dtt", op_sub_sat_s32, 0},
    {"mul.lo.{u32,s32,u16,s16}", "dtt", op_mul_lo_s32, 0},
    {"mul.lo.{u64,s64}", "dtt", op_mul_lo_s64, 0},
    {"mul.wide.u32", "Dtt", op_mul_wide_u32, 0},
    {"mul.wide.s32", "Dtt", op_mul_wide_s32, 0},
    {"mul.wide.u16", "Dtt", op_mul_wide_u16, 0},
    {"mul.wide.s16", "Dtt", op_mul_wide_s16, 0},
    {"mul.hi.u16", "dtt", op_mul_hi_u16, 0},
    {"mul.hi.s16", "dtt", op_mul_hi_s16, 0},
    {"mul.hi.u32", "dtt", op_mul_hi_u32, 0},
    {"mul.hi.s32", "dtt", op_mul_hi_s32, 0},
    {"mul.hi.u64", "dtt", op_mul_hi_u64, 0},
    {"mul.hi.s64", "dtt", op_mul_hi_s64, 0},
    {"mad.lo.{u32,s32,u16,s16}", "dttt", op_mad_lo_s32, 0},
    {"mad.lo.{u64,s64}", "dttt", op_mad_lo_s64, 0},
    {"mad.wide.u32", "DttT", op_mad_wide_u32, 0},
    {"mad.wide.s32", "DttT", op_mad_wide_s32, 0},
    {"mad.wide.u16", "DttT", op_mad_wide_u16, 0},
    {"mad.wide.s16", "DttT", op_mad_wide_s16, 0},
    {"mad.hi.u16", "dttt", op_mad_hi_u16, 0},
    {"mad.hi.s16", "dttt", op_mad_hi_s16, 0},
    {"mad.hi.u32", "dttt", op_mad_hi_u32, 0},
    {"mad.hi.s32", "dttt", op_mad_hi_s32, 0},
    {"mad.hi.sat.s32", "dttt", op_mad_hi_sat_s32, 0},
    {"mad.hi.u64", "dttt", op_mad_hi_u64, 0},
    {"mad.hi.s64", "dttt", op_mad_hi_s64, 0},
    {"mul24.lo.u32", "dtt", op_mul24_lo_u32, 0},
    {"mul24.lo.s32", "dtt", op_mul24_lo_s32, 0},
    {"mul24.hi.u32", "dtt", op_mul24_hi_u32, 0},
    {"mul24.hi.s32", "dtt", op_mul24_hi_s32, 0},
    {"mad24.lo.u32", "dttt", op_mad24_lo_u32, 0},
    {"mad24.lo.s32", "dttt", op_mad24_lo_s32, 0},
    {"mad24.hi.u32", "dttt", op_mad24_hi_u32, 0},
    {"mad24.hi.s32", "dttt", op_mad24_hi_s32, 0},
    {"mad24.hi.sat.s32", "dttt", op_mad24_hi_sat_s32, 0},
    {"sad.u16", "dttt", op_sad_u16, 0},
    {"sad.s16", "dttt", op_sad_s16, 0},
    {"sad.u32", "dttt", op_sad_u32, 0},
    {"sad.s32", "dttt", op_sad_s32, 0},
    {"sad.u64", "dttt", op_sad_u64, 0},
    {"sad.s64", "dttt", op_sad_s64, 0},
    {"div.u16", "dtt", op_div_u16, 0},
    {"div.s16", "dtt", op_div_s16, 0},
    {"div.u32", "dtt", op_div_u32, 0},
    {"div.s32", "dtt", op_div_s32, 0},
    {"div.u64", "dtt", op_div_u64, 0},
    {"div.s64", "dtt", op_div_s64, 0},
    {"rem.u16", "dtt", op_rem_u16, 0},
    {"rem.s16", "dtt", op_rem_s16, 0},
    {"rem.u32", "dtt", op_rem_u32, 0},
    {"rem.s32", "dtt", op_rem_s32, 0},
    {"rem.u64", "dtt", op_rem_u64, 0},
    {"rem.s64", "dtt", op_rem_s64, 0},
    {"abs.s16", "dt", op_abs_s16, 0},
    {"abs.s32", "dt", op_abs_s32, 0},
    {"abs.s64", "dt", op_abs_s64, 0},
    {"neg.{s16,s32}", "dt", op_neg_s32, 0},
    {"neg.s64", "dt", op_neg_s64, 0},
    {"min.u16", "dtt", op_min_u16, 0},
    {"min.s16", "dtt", op_min_s16, 0},
    {"min.u32", "dtt", op_min_u32, 0},
    {"min.s32", "dtt", op_min_s32, 0},
    {"min.u64", "dtt", op_min_u64, 0},
    {"min.s64", "dtt", op_min_s64, 0},
    {"min.u16x2", "dtt", op_min_u16x2, 0},
    {"min.s16x2", "dtt", op_min_s16x2, 0},
    {"min.s32.relu", "dtt", op_min_relu_s32, 0},
    {"min.relu.s32", "dtt", op_min_relu_s32, 0},
    {"min.s16x2.relu", "dtt", op_min_relu_s16x2, 0},
    {"min.relu.s16x2", "dtt", op_min_relu_s16x2, 0},
    {"max.s32.relu", "dtt", op_max_relu_s32, 0},
    {"max.relu.s32", "dtt", op_max_relu_s32, 0},
    {"max.s16x2.relu", "dtt", op_max_relu_s16x2, 0},
    {"max.relu.s16x2", "dtt", op_max_relu_s16x2, 0},
    {"max.u16", "dtt", op_max_u16, 0},
    {"max.s16", "dtt", op_max_s16, 0},
    {"max.u32", "dtt", op_max_u32, 0},
    {"max.s32", "dtt", op_max_s32, 0},
    {"max.u64", "dtt", op_max_u64, 0},
    {"max.s64", "dtt", op_max_s64, 0},
    {"max.u16x2", "dtt", op_max_u16x2, 0},
    {"max.s16x2", "dtt", op_max_s16x2, 0},
    {"dp4a.{u32,s32}.{u32,s32}", "dttt", op_dp4a, 0},
    {"dp2a.{lo,hi}.{u32,s32}.{u32,s32}", "dttt", op_dp2a, 0},
};

static uint32_t dot_flags(const sl_ptx_insn *in) {
  const uint8_t *types = in->mods + in->n_mods - 2;
  return (types[0] == SL_M_s32 ? DOT_A_SIGNED : 0u) | (types[1] == SL_M_s32 ? DOT_B_SIGNED : 0u) |
         (sl_ptx_has_mod(in, SL_M_hi) ? DOT_HI : 0u);
}

static bool is_carry(const sl_ptx_insn *in) {
  return sl_ptx_does(in, SL_DOES_TAKE_CARRY) || sl_ptx_has_mod(in, SL_M_cc);
}

bool sl__decode_int(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  sl_ptx_mod type = sl__form_type(in);
  if (sl__is_half(type)) return sl__decode_half(dc, in, x);
  if (type == SL_M_f32 || type == SL_M_f64) return sl__decode_float(dc, in, x);
  if (is_carry(in)) return sl__decode_carry(dc, in, x);
  if (!sl__decode_form(dc, in, x, int_forms, SL_COUNT(int_forms))) return false;
  if (in->op == SL_OP_dp4a || in->op == SL_OP_dp2a) x->aux = dot_flags(in);
  return true;
}
