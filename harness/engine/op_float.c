// Arithmetic of f32 and f64: add sub mul fma mad div rcp sqrt abs neg min max copysign testp. Interface:
// sl__decode_float. Here are the forms that round to nearest, with and without flushing of subnormal numbers;
// other rounding modes and saturation are in float_slow.c, approximations in float_approx.c. A result that is
// a NaN is the canonical one. This file must be compiled without contraction of a * b + c.

// clang-format off
#include "engine/float.h"

// Forms with .ftz.
static inline uint32_t flushed(float r) { return sl__quiet32(sl__flush(r)); }
static inline uint32_t zero_if(bool tiny, float r) { return tiny ? sl__u32_of(r) & 0x80000000 : sl__quiet32(r); }
static inline uint32_t mul_ftz(float a, float b) { return zero_if(sl__tiny_product(a, b, SL_F_RN), a * b); }
static inline uint32_t fma_ftz(float a, float b, float c) { return zero_if(sl__tiny_fma(a, b, c, SL_F_RN), __builtin_fmaf(a, b, c)); }
static inline uint32_t div_ftz(float a, float b) { return zero_if(sl__tiny_quotient(a, b, SL_F_RN), a / b); }

// A number wins over a NaN. -0 is less than 0: of equal numbers min ors the bits, max ands them.
#define SL_EXTREME(NAME, U, F, OF, BEFORE, BOTH, NONE)       \
  static inline U NAME(U a, U b) {                           \
    F x = OF(a), y = OF(b);                                  \
    U r = x BEFORE y ? a : y BEFORE x ? b : a BOTH b;        \
    r = x != x ? b : y != y ? a : r;                         \
    return x != x && y != y ? NONE : r;                      \
  }
SL_EXTREME(min_f32, uint32_t, float, sl__f32, <, |, SL_NAN32)
SL_EXTREME(max_f32, uint32_t, float, sl__f32, >, &, SL_NAN32)
SL_EXTREME(min_f64, uint64_t, double, sl__f64, <, |, SL_NAN64)
SL_EXTREME(max_f64, uint64_t, double, sl__f64, >, &, SL_NAN64)

// min and max with modifiers: flushed, a NaN wins (.NaN), magnitudes with the product's sign (.xorsign.abs).
static inline uint32_t modified(uint32_t a, uint32_t b, uint32_t flags, bool is_max) {
  if (flags & SL_F_FTZ) { a = sl__u32_of(sl__flush(sl__f32(a))); b = sl__u32_of(sl__flush(sl__f32(b))); }
  uint32_t sign = flags & SL_F_XORSIGN ? (a ^ b) & 0x80000000 : 0, keep = flags & SL_F_XORSIGN ? 0x7fffffff : SL_FULL;
  if (flags & SL_F_NAN && (isnan(sl__f32(a)) || isnan(sl__f32(b)))) return SL_NAN32;
  uint32_t r = is_max ? max_f32(a & keep, b & keep) : min_f32(a & keep, b & keep);
  return isnan(sl__f32(r)) ? r : r | sign;
}

// Opcode: testp.class.type p, a  Synopsis: p = a is of that class (x->aux: a set of 1 << fpclassify values)
#define SL_TESTP(NAME, F)                                                                        \
  static sl_step NAME(sl_warp *w, const sl_xinsn *i) {                                           \
    const F *a = sl__at(w, i->s[0]);                                                             \
    uint32_t p = 0;                                                                              \
    for (int l = 0; l < SL_LANES; l++) p |= (i->aux >> fpclassify(a[l]) & 1) << l;               \
    sl__set_pred_opt(w, i->d, p);                                                                \
    return SL_STEP;                                                                              \
  }
SL_TESTP(op_testp_f32, float)
SL_TESTP(op_testp_f64, double)

#include "engine/alu_handlers.h"
#include "engine/op_float.def"

static const sl_form float_forms[] = {
    {"testp.{finite,infinite,number,notanumber,normal,subnormal}.f32", "Pt", op_testp_f32, 0},
    {"testp.{finite,infinite,number,notanumber,normal,subnormal}.f64", "Pt", op_testp_f64, 0},
#include "engine/alu_forms.h"
#include "engine/op_float.def"
};

// Zeros count as normal numbers.
static uint32_t testp_classes(sl_ptx_mod m) {
  enum { N = 1u << FP_NORMAL, Z = 1u << FP_ZERO, S = 1u << FP_SUBNORMAL, I = 1u << FP_INFINITE, Q = 1u << FP_NAN };
  static const uint8_t classes[SL_M_COUNT_] = {
      [SL_M_finite] = N | Z | S, [SL_M_infinite] = I, [SL_M_number] = N | Z | S | I,
      [SL_M_notanumber] = Q,     [SL_M_normal] = N | Z, [SL_M_subnormal] = S};
  return classes[m];
}

bool sl__decode_float(sl_decoder *dc, const sl_ptx_insn *in, sl_xinsn *x) {
  if (sl__is_half(sl__form_type(in))) return sl__decode_half(dc, in, x);
  if (sl__find_form(in, sl__float_slow_forms, sl__n_float_slow_forms) && !sl__find_form(in, float_forms, SL_COUNT(float_forms)))
    return sl__decode_form(dc, in, x, sl__float_slow_forms, sl__n_float_slow_forms);
  if (sl__find_form(in, sl__float_approx_forms, sl__n_float_approx_forms))
    return sl__decode_form(dc, in, x, sl__float_approx_forms, sl__n_float_approx_forms);
  if (!sl__decode_form(dc, in, x, float_forms, SL_COUNT(float_forms))) return false;
  if (in->op == SL_OP_testp) x->aux = testp_classes(in->mods[0]);
  return true;
}
