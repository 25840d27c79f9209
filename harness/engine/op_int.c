// Integer arithmetic: add sub mul mad mul24 mad24 sad div rem abs neg min max dp4a dp2a of 16, 32 and 64
// bits. Interface: sl__decode_int. It hands forms of these mnemonics on floats to op_float.c and op_half.c,
// and those with a carry to op_carry.c. Registers of 16 bits lie in 32-bit lanes with undefined upper halves.
// So add, sub, mul.lo and neg, whose low half depends only on low halves, share the 32-bit handler.

// clang-format off
#include "engine/form.h"

typedef unsigned __int128 u128;
typedef __int128 i128;

static inline int32_t clamp_s32(int64_t v) { return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int32_t)v; }

// a * b. SSE2, which every x86-64 has, multiplies vectors of unsigned words alone. To those, a negative a is
// larger by 2^32, so the product is larger by b * 2^32.
static inline int64_t wide_s32(int32_t a, int32_t b) {
#if defined(__SSE2__) && !defined(__SSE4_1__)
  uint64_t above = (uint32_t)(a >> 31 & b) + (uint32_t)(b >> 31 & a);
  return (int64_t)((uint64_t)(uint32_t)a * (uint32_t)b - (above << 32));
#else
  return (int64_t)a * b;
#endif
}

static inline uint64_t u24(uint32_t a) { return a & 0xffffff; }
static inline int64_t s24(uint32_t a) { return (int64_t)((uint64_t)a << 40) >> 40; }

// A pair of 16-bit halves, the larger or smaller of each.
#define HALVES(T, OP) \
  (((T)a OP (T)b ? a : b) & 0xffff) | (((T)(a >> 16) OP (T)(b >> 16) ? a : b) & 0xffff0000)
static inline uint32_t not_below(uint32_t v) { return ((int16_t)v < 0 ? 0 : v & 0xffff) | ((int32_t)v < 0 ? 0 : v & 0xffff0000); }

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

#include "engine/alu_handlers.h"
#include "engine/op_int.def"

static const sl_form int_forms[] = {
#include "engine/alu_forms.h"
#include "engine/op_int.def"
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
