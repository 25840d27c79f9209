// Numbers of 8 bits, in pairs: e4m3 (bias 7, largest 448, no infinity) and e5m2 (bias 15, as f16 cut short),
// to and from f16x2 and f32. Interface: sl__decode_fp8. A number that is too large becomes the largest one,
// as every form has .satfinite. A NaN stays a NaN.
#include "engine/form.h"
#include "engine/half.h"

typedef struct fp8 {
  int frac, emin;
  double largest;
  uint8_t nan, top; // top: code of the largest number
} fp8;
static const fp8 E4M3 = {3, -6, 448, 0x7f, 0x7e}, E5M2 = {2, -14, 57344, 0x7f, 0x7b};

static uint8_t narrow(const fp8 *f, double v, uint32_t flags) {
  uint8_t sign = signbit(v) ? 0x80 : 0;
  if (v != v) return f->nan;
  if (flags & SL_F_RELU && sign) return 0;
  double a = fabs(v);
  int e = a > 0 && ilogb(a) > f->emin ? ilogb(a) : f->emin;
  double units = a < 2 * f->largest ? nearbyint(ldexp(a, f->frac - e)) : 0; // exact scaling, ties to even
  if (a >= 2 * f->largest || ldexp(units, e - f->frac) > f->largest) return sign | f->top;
  return sign | (uint8_t)(((e - f->emin) << f->frac) + (int)units); // a carry moves on to the exponent
}

static double widen(const fp8 *f, uint8_t code) {
  int mag = code & 0x7f, e = mag >> f->frac, frac = mag & ((1 << f->frac) - 1);
  if (mag > f->top) return mag == 0x7c && f == &E5M2 ? (code & 0x80 ? -INFINITY : INFINITY) : NAN;
  double v = ldexp(e ? frac + (1 << f->frac) : frac, (e ? e - 1 : 0) + f->emin - f->frac);
  return code & 0x80 ? -v : v;
}

static const fp8 *format(const sl_xinsn *i) { return i->imm == SL_M_e4m3x2 ? &E4M3 : &E5M2; }

static uint32_t pair_of(const sl_xinsn *i, float upper, float lower) {
  return (uint32_t)narrow(format(i), upper, i->aux) << 8 | narrow(format(i), lower, i->aux);
}

// Opcode: cvt.rn.satfinite{.relu}.e4m3x2.f32 d, a, b   Synopsis: d = a in the upper byte, b in the lower
static SL_BINARY(fp8_of_f32, uint32_t, float, float, pair_of(i, a, b))

// Opcode: cvt.rn.satfinite{.relu}.e4m3x2.f16x2 d, a     Synopsis: d = both halves of a
static SL_UNARY(fp8_of_f16, uint32_t, uint32_t,
                pair_of(i, sl__f16_to_float((uint16_t)(a >> 16)), sl__f16_to_float((uint16_t)a)))

static uint32_t half_of(const sl_xinsn *i, uint8_t code) {
  double v = widen(format(i), code);
  return i->aux & SL_F_RELU && signbit(v) && v == v ? 0 : sl__half_from_double(v, SL_M_f16);
}

// Opcode: cvt.rn{.relu}.f16x2.e4m3x2 d, a               Synopsis: d = both bytes of a
static SL_UNARY(f16_of_fp8, uint32_t, uint32_t, half_of(i, (uint8_t)(a >> 8)) << 16 | half_of(i, (uint8_t)a))

static const struct {
  sl_form form;
  sl_ptx_mod source;
  uint8_t from_end; // which suffix from the end names the format
} FORMS[] = {{{"cvt.rn.satfinite{,.relu}.{e4m3x2,e5m2x2}.f32", "htt", fp8_of_f32, 0}, SL_M_f32, 2},
             {{"cvt.rn.satfinite{,.relu}.{e4m3x2,e5m2x2}.f16x2", "ht", fp8_of_f16, 0}, SL_M_f16x2, 2},
             {{"cvt.rn{,.relu}.f16x2.{e4m3x2,e5m2x2}", "wt", f16_of_fp8, 0}, SL_M_b16, 1}};

bool sl__decode_fp8(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x, bool *is_fp8) {
  for (size_t k = 0; k < SL_COUNT(FORMS); k++) {
    if (!sl__find_form(in, &FORMS[k].form, 1)) continue;
    *is_fp8 = true;
    x->fn = FORMS[k].form.fn;
    x->aux = sl__form_flags(in);
    x->imm = in->mods[in->n_mods - FORMS[k].from_end];
    return sl__decode_operands(dc, in, x, FORMS[k].form.operands, FORMS[k].source);
  }
  *is_fp8 = false;
  return false;
}
