// Float arithmetic by any rounding mode, flushed and saturated as x->aux says. Interface:
// sl__float_slow_forms. The rounding mode is the host's own, set for the time of one instruction. Operands
// and results go through volatile objects: compilers must neither fold an operation nor move it.

// clang-format off
#include <fenv.h>
#include "engine/float.h"

static int host_rounding(uint32_t flags) {
  static const int mode[] = {[SL_F_RN] = FE_TONEAREST, [SL_F_RZ] = FE_TOWARDZERO, [SL_F_RM] = FE_DOWNWARD, [SL_F_RP] = FE_UPWARD};
  return mode[flags & SL_F_ROUND];
}

static uint32_t finish32(float r, uint32_t flags) {
  if (flags & SL_F_FTZ) r = sl__flush(r);
  if (flags & SL_F_SAT) return r > 0 ? sl__u32_of(r < 1 ? r : 1) : 0;
  return sl__quiet32(r);
}

// A handler of three f32 operands (those that it lacks repeat the first). TINY: .ftz makes the result zero.
#define SL_SLOW_F32(NAME, EXPR, TINY)                                                 \
  sl_step NAME(sl_warp *w, const sl_xinsn *i) {                                       \
    const float *pa = sl__at(w, i->s[0]), *pb = sl__at(w, i->s[1]), *pc = sl__at(w, i->s[2]); \
    bool ftz = i->aux & SL_F_FTZ;                                                     \
    volatile float v[SL_LANES];                                                       \
    uint32_t r[SL_LANES];                                                             \
    fesetround(host_rounding(i->aux));                                                \
    for (int l = 0; l < SL_LANES; l++) {                                              \
      volatile float a = ftz ? sl__flush(pa[l]) : pa[l], b = ftz ? sl__flush(pb[l]) : pb[l], \
                     c = ftz ? sl__flush(pc[l]) : pc[l];                              \
      (void)b, (void)c;                                                               \
      v[l] = (EXPR);                                                                  \
    }                                                                                 \
    fesetround(FE_TONEAREST);                                                         \
    for (int l = 0; l < SL_LANES; l++) {                                              \
      float a = sl__flush(pa[l]), b = sl__flush(pb[l]), c = sl__flush(pc[l]);         \
      (void)a, (void)b, (void)c;                                                      \
      r[l] = finish32(ftz && (TINY) ? copysignf(0, v[l]) : v[l], i->aux);             \
    }                                                                                 \
    sl__put32(w, i->d, r);                                                            \
    return SL_STEP;                                                                   \
  }
#define SL_SLOW_F64(NAME, EXPR)                                                       \
  sl_step NAME(sl_warp *w, const sl_xinsn *i) {                                       \
    const double *pa = sl__at(w, i->s[0]), *pb = sl__at(w, i->s[1]), *pc = sl__at(w, i->s[2]); \
    volatile double v[SL_LANES];                                                      \
    uint64_t r[SL_LANES];                                                             \
    fesetround(host_rounding(i->aux));                                                \
    for (int l = 0; l < SL_LANES; l++) {                                              \
      volatile double a = pa[l], b = pb[l], c = pc[l];                                \
      (void)b, (void)c;                                                               \
      v[l] = (EXPR);                                                                  \
    }                                                                                 \
    fesetround(FE_TONEAREST);                                                         \
    for (int l = 0; l < SL_LANES; l++) r[l] = sl__quiet64(v[l]);                      \
    sl__put64(w, i->d, r);                                                            \
    return SL_STEP;                                                                   \
  }

// Opcode: add.round{.ftz}{.sat}.type d, a, b   Synopsis: d = a + b, by any rounding mode
static SL_SLOW_F32(op_add_any_f32, a + b, false)
static SL_SLOW_F64(op_add_any_f64, a + b)
// Opcode: sub.round{.ftz}{.sat}.type d, a, b   Synopsis: d = a - b
static SL_SLOW_F32(op_sub_any_f32, a - b, false)
static SL_SLOW_F64(op_sub_any_f64, a - b)
// Opcode: mul.round{.ftz}{.sat}.type d, a, b   Synopsis: d = a * b
static SL_SLOW_F32(op_mul_any_f32, a * b, sl__tiny_product(a, b, i->aux))
static SL_SLOW_F64(op_mul_any_f64, a * b)
// Opcode: fma.round{.ftz}{.sat}.type d, a, b, c   Synopsis: d = a * b + c, rounded once
static SL_SLOW_F32(op_fma_any_f32, fmaf(a, b, c), sl__tiny_fma(a, b, c, i->aux))
static SL_SLOW_F64(op_fma_any_f64, fma(a, b, c))
// Opcode: div.round{.ftz}.type d, a, b         Synopsis: d = a / b
static SL_SLOW_F32(op_div_any_f32, a / b, sl__tiny_quotient(a, b, i->aux))
static SL_SLOW_F64(op_div_any_f64, a / b)
// Opcode: rcp.round{.ftz}.type d, a            Synopsis: d = 1 / a
static SL_SLOW_F32(op_rcp_any_f32, 1.0f / a, false)
static SL_SLOW_F64(op_rcp_any_f64, 1.0 / a)
// Opcode: sqrt.round{.ftz}.type d, a           Synopsis: d = square root of a
static SL_SLOW_F32(op_sqrt_any_f32, sqrtf(a), false)
static SL_SLOW_F64(op_sqrt_any_f64, sqrt(a))

#define ROUND "{rn,rz,rm,rp}"
#define ROUND_OR_NONE "{,.rn,.rz,.rm,.rp}"
const sl_form sl__float_slow_forms[] = {
    {"add" ROUND_OR_NONE "{,.ftz}{,.sat}.f32", "dtt", op_add_any_f32, SL_CLS_ADD_FLOAT},
    {"add." ROUND ".f64", "dtt", op_add_any_f64, SL_CLS_ADD_FLOAT},
    {"sub" ROUND_OR_NONE "{,.ftz}{,.sat}.f32", "dtt", op_sub_any_f32, SL_CLS_ADD_FLOAT},
    {"sub." ROUND ".f64", "dtt", op_sub_any_f64, SL_CLS_ADD_FLOAT},
    {"mul" ROUND_OR_NONE "{,.ftz}{,.sat}.f32", "dtt", op_mul_any_f32, 0},
    {"mul." ROUND ".f64", "dtt", op_mul_any_f64, 0},
    {"{fma,mad}." ROUND "{,.ftz}{,.sat}.f32", "dttt", op_fma_any_f32, SL_CLS_FMA},
    {"{fma,mad}." ROUND ".f64", "dttt", op_fma_any_f64, SL_CLS_FMA},
    {"div." ROUND "{,.ftz}.f32", "dtt", op_div_any_f32, 0},
    {"div." ROUND ".f64", "dtt", op_div_any_f64, 0},
    {"rcp." ROUND "{,.ftz}.f32", "dt", op_rcp_any_f32, 0},
    {"rcp." ROUND ".f64", "dt", op_rcp_any_f64, 0},
    {"sqrt." ROUND "{,.ftz}.f32", "dt", op_sqrt_any_f32, 0},
    {"sqrt." ROUND ".f64", "dt", op_sqrt_any_f64, 0},
};
const size_t sl__n_float_slow_forms = SL_COUNT(sl__float_slow_forms);
