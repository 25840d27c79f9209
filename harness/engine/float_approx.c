// Approximations: div.approx div.full rcp.approx sqrt.approx rsqrt sin cos lg2 ex2 tanh. Interface:
// sl__float_approx_forms. Hardware computes these from tables with an error that PTX bounds; here the result
// is the host library's, which lies well inside every bound but need not be the same bits as on a GPU.

// clang-format off
#include "engine/float.h"

// A handler of one or two f32 operands, for the lanes that run; flushed as x->aux says.
#define SL_APPROX_F32(NAME, EXPR)                                                     \
  sl_step NAME(sl_warp *w, const sl_xinsn *i) {                                       \
    const float *pa = sl__at(w, i->s[0]), *pb = sl__at(w, i->s[1]);                   \
    uint32_t *d = sl__u32(w, i->d);                                                   \
    bool ftz = i->aux & SL_F_FTZ;                                                     \
    SL_FOR_LANES(l, w->mask) {                                                        \
      float a = ftz ? sl__flush(pa[l]) : pa[l], b = ftz ? sl__flush(pb[l]) : pb[l], r; \
      (void)b;                                                                        \
      r = (EXPR);                                                                     \
      d[l] = sl__quiet32(ftz ? sl__flush(r) : r);                                     \
    }                                                                                 \
    return SL_STEP;                                                                   \
  }

// A divisor beyond 2^126 has a reciprocal that is subnormal: it counts as zero.
static float div_approx(float a, float b) {
  return fabsf(b) > 0x1p126f && !isinf(b) ? a * copysignf(0, b) : a / b;
}
// Opcode: div.approx{.ftz}.f32 d, a, b    Synopsis: d = a * (1 / b)
static SL_APPROX_F32(op_div_approx_f32, div_approx(a, b))
// Opcode: div.full{.ftz}.f32 d, a, b      Synopsis: d = a / b, to 2 ulp over the full range
static SL_APPROX_F32(op_div_full_f32, a / b)
// Opcode: rcp.approx{.ftz}.f32 d, a       Synopsis: d = 1 / a
static SL_APPROX_F32(op_rcp_approx_f32, 1.0f / a)
// Opcode: sqrt.approx{.ftz}.f32 d, a      Synopsis: d = square root of a
static SL_APPROX_F32(op_sqrt_approx_f32, sqrtf(a))
// Opcode: rsqrt.approx{.ftz}.f32 d, a     Synopsis: d = 1 / square root of a
static SL_APPROX_F32(op_rsqrt_approx_f32, (float)(1.0 / sqrt((double)a)))
// Opcode: sin.approx{.ftz}.f32 d, a       Synopsis: d = sine of a (radians)
static SL_APPROX_F32(op_sin_approx_f32, sinf(a))
// Opcode: cos.approx{.ftz}.f32 d, a       Synopsis: d = cosine of a
static SL_APPROX_F32(op_cos_approx_f32, cosf(a))
// Opcode: lg2.approx{.ftz}.f32 d, a       Synopsis: d = logarithm of a to base 2
static SL_APPROX_F32(op_lg2_approx_f32, log2f(a))
// Opcode: ex2.approx{.ftz}.f32 d, a       Synopsis: d = 2 to the power of a
static SL_APPROX_F32(op_ex2_approx_f32, exp2f(a))
// Opcode: tanh.approx.f32 d, a            Synopsis: d = hyperbolic tangent of a
static SL_APPROX_F32(op_tanh_approx_f32, tanhf(a))

static double flush64(double v) { return fabs(v) < 0x1p-1022 ? copysign(0, v) : v; }
// The f64 approximations read and write only the upper 32 bits of a number.
static uint64_t upper(double v) { return sl__quiet64(v) & ~0xffffffffull; }
static double upper_of(double v) { return sl__f64(sl__u64_of(v) & ~0xffffffffull); }
static double rsqrt64(double v) { return 1.0 / sqrt(v); }
// Opcode: rcp.approx.ftz.f64 d, a         Synopsis: d = 1 / a, upper 32 bits
static SL_UNARY(op_rcp_approx_f64, uint64_t, double, upper(flush64(1.0 / flush64(upper_of(a)))))
// Opcode: rsqrt.approx{.ftz}.f64 d, a     Synopsis: d = 1 / square root of a (ftz: upper 32 bits)
static SL_UNARY(op_rsqrt_approx_f64, uint64_t, double, sl__quiet64(rsqrt64(a)))
static SL_UNARY(op_rsqrt_approx_ftz_f64, uint64_t, double, upper(rsqrt64(flush64(upper_of(a)))))

// The headers of curand write .ftz last, which ptxas takes too.
const sl_form sl__float_approx_forms[] = {
    {"div.approx{,.ftz}.f32", "dtt", op_div_approx_f32, 0},
    {"div.full{,.ftz}.f32", "dtt", op_div_full_f32, 0},
    {"rcp.approx{,.ftz}.f32{,.ftz}", "dt", op_rcp_approx_f32, 0},
    {"sqrt.approx{,.ftz}.f32", "dt", op_sqrt_approx_f32, 0},
    {"rsqrt.approx{,.ftz}.f32{,.ftz}", "dt", op_rsqrt_approx_f32, 0},
    {"sin.approx{,.ftz}.f32", "dt", op_sin_approx_f32, 0},
    {"cos.approx{,.ftz}.f32", "dt", op_cos_approx_f32, 0},
    {"lg2.approx{,.ftz}.f32{,.ftz}", "dt", op_lg2_approx_f32, 0},
    {"ex2.approx{,.ftz}.f32{,.ftz}", "dt", op_ex2_approx_f32, 0},
    {"tanh.approx.f32", "dt", op_tanh_approx_f32, 0},
    {"rcp.approx.ftz.f64", "dt", op_rcp_approx_f64, 0},
    {"rsqrt.approx.f64", "dt", op_rsqrt_approx_f64, 0},
    {"rsqrt.approx.ftz.f64", "dt", op_rsqrt_approx_ftz_f64, 0},
};
const size_t sl__n_float_approx_forms = SL_COUNT(sl__float_approx_forms);
