// Float instructions. Nearest rounding is checked through a wider type (or exact sums), the directed modes by
// the sign of what the nearest result is off by, approximations by the error bounds of the PTX manual.
#include <float.h>
#include <math.h>
#include "engine/tests/alu_rig.h"
#include "engine/half.h"

#define NAN32 0x7fffffffull
#define NAN64 0x7ff8000000000000ull
static float F(uint64_t u) { return sl__f32((uint32_t)u); }
static double D(uint64_t u) { return sl__f64(u); }
static uint64_t bits32(float f) { return f != f ? NAN32 : sl__u32_of(f); }
static uint64_t bits64(double f) { return f != f ? NAN64 : sl__u64_of(f); }
static float ftz(float f) { return f != 0 && fabsf(f) < FLT_MIN ? (signbit(f) ? -0.0f : 0.0f) : f; }
static uint64_t zbits(float f) { return bits32(ftz(f)); }
#define ZF(u) ftz(F(u))
// Flushed if it is tiny after rounding to 24 bits with an exponent of any size: rounded 16 times as large.
static float ftz_of(f128 exact) {
  bool tiny = exact != 0 && fabsf((float)(16 * exact)) < 16 * FLT_MIN;
  return tiny ? (exact < 0 ? -0.0f : 0.0f) : (float)exact;
}

ORACLE(add32, bits32((float)((f128)F(a) + F(b))))
ORACLE(sub32, bits32((float)((f128)F(a) - F(b))))
ORACLE(mul32, bits32((float)((f128)F(a) * F(b))))
ORACLE(div32, bits32((float)((f128)F(a) / F(b))))
ORACLE(rcp32, bits32((float)((f128)1 / F(a))))
ORACLE(fma32, bits32((float)rig_fused(F(a), F(b), F(c))))
ORACLE(sqrt32, bits32((float)sqrtl(F(a))))
ORACLE(add64, bits64((double)((f128)D(a) + D(b))))
ORACLE(sub64, bits64((double)((f128)D(a) - D(b))))
ORACLE(mul64, bits64((double)((f128)D(a) * D(b))))
ORACLE(div64, bits64((double)((f128)D(a) / D(b))))
ORACLE(rcp64, bits64((double)((f128)1 / D(a))))
ORACLE(fma64, bits64((double)rig_fused(D(a), D(b), D(c))))
ORACLE(add32z, zbits((float)((f128)ZF(a) + ZF(b))))
ORACLE(sub32z, zbits((float)((f128)ZF(a) - ZF(b))))
ORACLE(mul32z, bits32(ftz_of((f128)ZF(a) * ZF(b))))
ORACLE(div32z, bits32(ftz_of((f128)ZF(a) / ZF(b))))
ORACLE(fma32z, bits32(ftz_of(rig_fused(ZF(a), ZF(b), ZF(c)))))
static uint64_t clamped(float r) { return r >= 1 ? 0x3f800000 : r > 0 ? sl__u32_of(r) : 0; }
ORACLE(add32s, clamped((float)((f128)F(a) + F(b))))
ORACLE(mul32zs, clamped(ftz_of((f128)ZF(a) * ZF(b))))
ORACLE(fma32s, clamped((float)rig_fused(F(a), F(b), F(c))))

// Result of a directed mode ('z', 'm', 'p') from the nearest one and the exact value.
static float directed32(float near, f128 exact, char mode) {
  if (near != near || exact == (f128)near || exact - exact != 0) return near;
  if (mode == 'z') mode = exact > 0 ? 'm' : 'p';
  if (mode == 'm') return (f128)near > exact ? nextafterf(near, -INFINITY) : near;
  return (f128)near < exact ? nextafterf(near, INFINITY) : near;
}
static double directed64(double near, f128 exact, char mode) {
  if (near != near || exact == (f128)near || exact - exact != 0) return near;
  if (mode == 'z') mode = exact > 0 ? 'm' : 'p';
  if (mode == 'm') return (f128)near > exact ? nextafter(near, -INFINITY) : near;
  return (f128)near < exact ? nextafter(near, INFINITY) : near;
}
// x - x is -0 when rounding down, and +0 otherwise.
static uint64_t sum32(f128 a, f128 b, f128 exact, char mode) {
  if (exact == 0 && !(a == 0 && b == 0 && signbit((float)a) == signbit((float)b)))
    return mode == 'm' ? 0x80000000 : 0;
  return bits32(directed32((float)exact, exact, mode));
}
static uint64_t sum64(f128 a, f128 b, f128 exact, char mode) {
  if (exact == 0 && !(a == 0 && b == 0 && signbit((double)a) == signbit((double)b)))
    return mode == 'm' ? 1ull << 63 : 0;
  return bits64(directed64((double)exact, exact, mode));
}
// Quotients and roots are not exact in any type: one more step with the remainder settles the side.
static f128 beside(f128 near, f128 remainder, f128 toward) {
  return remainder == 0 ? near : near + (remainder > 0) * toward - (remainder < 0) * toward;
}
static uint64_t quotient32(float a, float b, char mode) {
  float near = (float)((f128)a / b);
  if (!isfinite(near) && (isinf(a) || isnan(a) || isnan(b) || b == 0)) return bits32(near);
  return bits32(directed32(near, (f128)a / b, mode));
}
static uint64_t root32(float a, char mode) {
  float near = (float)sqrtl(a);
  if (!(a > 0) || isinf(a)) return bits32(near);
  f128 n = near, rem = (f128)a - n * n;
  return bits32(directed32(near, beside(n, rem, n * 0x1p-40), mode));
}
static uint64_t root64(double a, char mode) {
  double near = sqrt(a);
  if (!(a > 0) || isinf(a)) return bits64(near);
  f128 n = near, rem = (f128)a - n * n;
  return bits64(directed64(near, beside(n, rem, n * 0x1p-70), mode));
}
ORACLE(add32_rz, sum32(F(a), F(b), rig_fused(F(a), 1, F(b)), 'z'))
ORACLE(add32_rm, sum32(F(a), F(b), rig_fused(F(a), 1, F(b)), 'm'))
ORACLE(add32_rp, sum32(F(a), F(b), rig_fused(F(a), 1, F(b)), 'p'))
ORACLE(sub32_rm, sum32(F(a), -F(b), rig_fused(F(a), 1, -F(b)), 'm'))
ORACLE(mul32_rz, bits32(directed32((float)((f128)F(a) * F(b)), (f128)F(a) * F(b), 'z')))
ORACLE(mul32_rm, bits32(directed32((float)((f128)F(a) * F(b)), (f128)F(a) * F(b), 'm')))
ORACLE(mul32_rp, bits32(directed32((float)((f128)F(a) * F(b)), (f128)F(a) * F(b), 'p')))
ORACLE(fma32_rz, sum32((f128)F(a) * F(b), F(c), rig_fused(F(a), F(b), F(c)), 'z'))
ORACLE(fma32_rp, sum32((f128)F(a) * F(b), F(c), rig_fused(F(a), F(b), F(c)), 'p'))
ORACLE(div32_rz, quotient32(F(a), F(b), 'z'))
ORACLE(div32_rp, quotient32(F(a), F(b), 'p'))
ORACLE(rcp32_rm, quotient32(1, F(a), 'm'))
ORACLE(sqrt32_rz, root32(F(a), 'z'))
ORACLE(sqrt32_rp, root32(F(a), 'p'))
ORACLE(add64_rz, sum64(D(a), D(b), rig_fused(D(a), 1, D(b)), 'z'))
ORACLE(add64_rm, sum64(D(a), D(b), rig_fused(D(a), 1, D(b)), 'm'))
ORACLE(mul64_rp, bits64(directed64((double)((f128)D(a) * D(b)), (f128)D(a) * D(b), 'p')))
ORACLE(sqrt64, bits64(directed64(sqrt(D(a)), sqrt(D(a)), 'n')))
ORACLE(sqrt64_rm, root64(D(a), 'm'))

// min and max by the manual: numbers win over NaN, -0 < +0.
static int order(f128 a, bool a_negative, f128 b, bool b_negative) {
  return a < b ? -1 : a > b ? 1 : (int)b_negative - (int)a_negative;
}
static uint64_t pick32(uint64_t a, uint64_t b, int want, bool nan_wins) {
  bool na = isnan(F(a)), nb = isnan(F(b));
  if (na && nb) return NAN32;
  if (na || nb) return nan_wins ? NAN32 : na ? b : a;
  return order(F(a), a >> 31, F(b), b >> 31) == want ? a : b;
}
static uint64_t pick64(uint64_t a, uint64_t b, int want) {
  bool na = isnan(D(a)), nb = isnan(D(b));
  if (na && nb) return NAN64;
  return na ? b : nb ? a : order(D(a), a >> 63, D(b), b >> 63) == want ? a : b;
}
static uint64_t zu(uint64_t u) { return (u & 0x7fffffff) < 0x800000 ? u & 0x80000000 : u; }
static uint64_t xorsign(uint64_t a, uint64_t b, uint64_t r) {
  return r == NAN32 || isnan(F(r)) ? r : r | ((a ^ b) & 0x80000000);
}
ORACLE(min32, pick32(a, b, -1, false))
ORACLE(max32, pick32(a, b, 1, false))
ORACLE(min32n, pick32(a, b, -1, true))
ORACLE(max32n, pick32(a, b, 1, true))
ORACLE(max32z, pick32(zu(a), zu(b), 1, false))
ORACLE(min32x, xorsign(a, b, pick32(a & 0x7fffffff, b & 0x7fffffff, -1, false)))
ORACLE(min64, pick64(a, b, -1))
ORACLE(max64, pick64(a, b, 1))
ORACLE(abs32, a & 0x7fffffff)
ORACLE(abs32z, zu(a) & 0x7fffffff)
ORACLE(abs64, a << 1 >> 1)
ORACLE(neg32, a ^ 0x80000000)
ORACLE(neg64, a ^ 1ull << 63)
ORACLE(copysign32, (a & 0x80000000) + (b & 0x7fffffff))
ORACLE(copysign64, (a >> 63 << 63) + (b << 1 >> 1))
// Classes by the exponent field.
#define E32 (a >> 23 & 255)
#define M32 (a & 0x7fffff)
ORACLE(finite32, E32 != 255)
ORACLE(infinite32, E32 == 255 && !M32)
ORACLE(number32, E32 != 255 || !M32)
ORACLE(nan32, E32 == 255 && M32)
ORACLE(normal32, E32 != 255 && (E32 || !M32))
ORACLE(subnormal32, !E32 && M32)
ORACLE(normal64, (a >> 52 & 2047) != 2047 && ((a >> 52 & 2047) || !(a << 1)))
ORACLE(nan64, (a & ~(1ull << 63)) > 0x7ff0000000000000ull)

static const rig_case exact[] = {
    {"add.f32", "rrr", "ff", add32, 0},           {"add.rn.f32", "rrr", "ff", add32, 0},
    {"sub.f32", "rrr", "ff", sub32, 0},           {"mul.f32", "rrr", "ff", mul32, 0},
    {"div.rn.f32", "rrr", "ff", div32, 0},        {"rcp.rn.f32", "rr", "f", rcp32, 0},
    {"fma.rn.f32", "rrrr", "fff", fma32, 0},      {"mad.rn.f32", "rrrr", "fff", fma32, 0},
    {"sqrt.rn.f32", "rr", "f", sqrt32, 0},        {"add.f64", "ddd", "gg", add64, 0},
    {"sub.f64", "ddd", "gg", sub64, 0},           {"mul.f64", "ddd", "gg", mul64, 0},
    {"div.rn.f64", "ddd", "gg", div64, 0},        {"rcp.rn.f64", "dd", "g", rcp64, 0},
    {"fma.rn.f64", "dddd", "ggg", fma64, 0},      {"add.ftz.f32", "rrr", "ff", add32z, 0},
    {"sub.ftz.f32", "rrr", "ff", sub32z, 0},      {"mul.ftz.f32", "rrr", "ff", mul32z, 0},
    {"div.rn.ftz.f32", "rrr", "ff", div32z, 0},   {"fma.rn.ftz.f32", "rrrr", "fff", fma32z, 0},
    {"add.sat.f32", "rrr", "ff", add32s, 0},      {"mul.ftz.sat.f32", "rrr", "ff", mul32zs, 0},
    {"fma.rn.sat.f32", "rrrr", "fff", fma32s, 0}, {"sqrt.rn.f64", "dd", "g", sqrt64, 0},
};
static const rig_case rounded[] = {
    {"add.rz.f32", "rrr", "ff", add32_rz, 0},   {"add.rm.f32", "rrr", "ff", add32_rm, 0},
    {"add.rp.f32", "rrr", "ff", add32_rp, 0},   {"sub.rm.f32", "rrr", "ff", sub32_rm, 0},
    {"mul.rz.f32", "rrr", "ff", mul32_rz, 0},   {"mul.rm.f32", "rrr", "ff", mul32_rm, 0},
    {"mul.rp.f32", "rrr", "ff", mul32_rp, 0},   {"fma.rz.f32", "rrrr", "fff", fma32_rz, 0},
    {"fma.rp.f32", "rrrr", "fff", fma32_rp, 0}, {"div.rz.f32", "rrr", "ff", div32_rz, 0},
    {"div.rp.f32", "rrr", "ff", div32_rp, 0},   {"rcp.rm.f32", "rr", "f", rcp32_rm, 0},
    {"sqrt.rz.f32", "rr", "f", sqrt32_rz, 0},   {"sqrt.rp.f32", "rr", "f", sqrt32_rp, 0},
    {"add.rz.f64", "ddd", "gg", add64_rz, 0},   {"add.rm.f64", "ddd", "gg", add64_rm, 0},
    {"mul.rp.f64", "ddd", "gg", mul64_rp, 0},   {"sqrt.rm.f64", "dd", "g", sqrt64_rm, 0},
};
static const rig_case chosen[] = {
    {"min.f32", "rrr", "ff", min32, 0},
    {"max.f32", "rrr", "ff", max32, 0},
    {"min.NaN.f32", "rrr", "ff", min32n, 0},
    {"max.NaN.f32", "rrr", "ff", max32n, 0},
    {"max.ftz.f32", "rrr", "ff", max32z, 0},
    {"min.xorsign.abs.f32", "rrr", "ff", min32x, 0},
    {"min.f64", "ddd", "gg", min64, 0},
    {"max.f64", "ddd", "gg", max64, 0},
    {"abs.f32", "rr", "f", abs32, 0},
    {"abs.ftz.f32", "rr", "f", abs32z, 0},
    {"abs.f64", "dd", "g", abs64, 0},
    {"neg.f32", "rr", "f", neg32, 0},
    {"neg.f64", "dd", "g", neg64, 0},
    {"copysign.f32", "rrr", "ff", copysign32, 0},
    {"copysign.f64", "ddd", "gg", copysign64, 0},
    {"testp.finite.f32", "pr", "f", finite32, 0},
    {"testp.infinite.f32", "pr", "f", infinite32, 0},
    {"testp.number.f32", "pr", "f", number32, 0},
    {"testp.notanumber.f32", "pr", "f", nan32, 0},
    {"testp.normal.f32", "pr", "f", normal32, 0},
    {"testp.subnormal.f32", "pr", "f", subnormal32, 0},
    {"testp.normal.f64", "pd", "g", normal64, 0},
    {"testp.notanumber.f64", "pd", "g", nan64, 0},
};
static void test_exact(void **state) {
  (void)state;
  RIG_CHECK_ALL(exact);
}
static void test_rounded(void **state) {
  (void)state;
  RIG_CHECK_ALL(rounded);
}
static void test_chosen(void **state) {
  (void)state;
  RIG_CHECK_ALL(chosen);
}

// One result of a function of one f32.
static uint32_t value_of(const char *op, uint32_t a) {
  char text[64];
  snprintf(text, sizeof text, "%s %%r0, %%r1", op);
  if (!rig_load(text)) fail_msg("%s is refused: %s", text, rig_error);
  for (int l = 0; l < SL_LANES; l++) rig_set("%r1", l, a);
  rig_run(SL_FULL);
  return (uint32_t)rig_get("%r0", 9);
}

typedef struct bound {
  const char *op;
  double (*f)(double);
  double lo, hi, rel, abs;
} bound;
static double rcp(double v) { return 1 / v; }
static double rsqrt(double v) { return 1 / sqrt(v); }
static const bound bounds[] = { // relative error, or absolute where that is larger
    {"rcp.approx.f32", rcp, 1e-30, 1e30, 0x1p-23, 0},
    {"rcp.approx.ftz.f32", rcp, 1e-30, 1e30, 0x1p-23, 0},
    {"sqrt.approx.f32", sqrt, 1e-30, 1e30, 0x1p-23, 0},
    {"rsqrt.approx.f32", rsqrt, 1e-30, 1e30, 0x1.125fbp-23, 0},
    {"sin.approx.f32", sin, -6.28, 6.28, 0, 0x1.6a09e6p-21},
    {"cos.approx.f32", cos, -6.28, 6.28, 0, 0x1.6a09e6p-21},
    {"lg2.approx.f32", log2, 1e-30, 1e30, 0x1p-22, 0x1p-22},
    {"ex2.approx.f32", exp2, -100, 100, 0x1p-22, 0},
    {"tanh.approx.f32", tanh, -20, 20, 0x1p-11, 0}};

static void test_approximations(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++)
    for (int n = 0; n < 500; n++) {
      const bound *b = &bounds[k];
      double at = n < 250     ? b->lo + (b->hi - b->lo) * n / 250
                  : b->lo > 0 ? b->lo * pow(b->hi / b->lo, (n - 250) / 250.0)
                              : n / 400.0;
      float x = (float)at;
      double want = b->f(x), got = F(value_of(b->op, sl__u32_of(x))),
             tolerance = fmax(fabs(want) * b->rel, b->abs);
      if (!(fabs(got - want) <= tolerance)) fail_msg("%s of %.9g is %.9g, not %.9g", b->op, x, got, want);
    }
}

static void test_approximation_edges(void **state) {
  (void)state;
  static const struct {
    const char *op;
    uint32_t a, want;
  } rows[] = {{"rcp.approx.f32", 0, 0x7f800000},          {"rcp.approx.f32", 0x80000000, 0xff800000},
              {"rcp.approx.f32", 0xff800000, 0x80000000}, {"rcp.approx.ftz.f32", 1, 0x7f800000},
              {"rcp.approx.ftz.f32", 0x7f000001, 0},      {"sqrt.approx.f32", 0x80000000, 0x80000000},
              {"sqrt.approx.f32", 0xbf800000, NAN32},     {"sqrt.approx.ftz.f32", 0x80000001, 0x80000000},
              {"rsqrt.approx.f32", 0, 0x7f800000},        {"rsqrt.approx.f32", 0x80000000, 0xff800000},
              {"rsqrt.approx.f32", 0x7f800000, 0},        {"lg2.approx.f32", 0, 0xff800000},
              {"lg2.approx.f32", 0x80000000, 0xff800000}, {"lg2.approx.f32", 0xbf800000, NAN32},
              {"lg2.approx.ftz.f32", 1, 0xff800000},      {"ex2.approx.f32", 0xff800000, 0},
              {"lg2.approx.f32.ftz", 1, 0xff800000},      {"rcp.approx.f32.ftz", 1, 0x7f800000},
              {"rsqrt.approx.f32.ftz", 1, 0x7f800000},    {"ex2.approx.f32.ftz", 0xc2fe0000, 0},
              {"ex2.approx.f32", 0x80000000, 0x3f800000}, {"ex2.approx.ftz.f32", 0xc2fe0000, 0},
              {"sin.approx.f32", 0x80000000, 0x80000000}, {"sin.approx.f32", 0x7f800000, NAN32},
              {"cos.approx.f32", 0, 0x3f800000},          {"tanh.approx.f32", 0xff800000, 0xbf800000},
              {"rcp.approx.f32", 0xffc00001, NAN32}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    assert_int_equal(value_of(rows[k].op, rows[k].a), rows[k].want);
}

// div.approx: 2 ulp, but 0 for large divisors; div.full: 2 ulp everywhere.
static void test_division(void **state) {
  (void)state;
  for (int n = 0; n < 2000; n++) {
    uint32_t a = (uint32_t)rig_value('f', 32, ~0ull), b = (uint32_t)rig_value('f', 32, ~0ull);
    for (int full = 0; full < 2; full++) {
      assert_true(rig_load(full ? "div.full.f32 %r0, %r1, %r2" : "div.approx.f32 %r0, %r1, %r2"));
      rig_set("%r1", 0, a), rig_set("%r2", 0, b);
      rig_run(1);
      uint32_t got = (uint32_t)rig_get("%r0", 0), want = (uint32_t)div32(a, b, 0, 0);
      float size = fabsf(F(b));
      if (!full && size > 0x1p126f && isfinite(size)) {
        uint64_t w = isnan(F(a)) || isinf(F(a)) ? NAN32 : (a ^ b) & 0x80000000;
        assert_int_equal(got, w);
      } else if (rig_ulps(got, want) > 2) fail_msg("%08x / %08x = %08x, not %08x", a, b, got, want);
    }
  }
}

static void test_f64_approximations(void **state) {
  (void)state;
  for (int n = 0; n < 1000; n++) {
    uint64_t a = rig_value('g', 64, ~0ull) & ~(1ull << 63);
    for (int root = 0; root < 2; root++) {
      assert_true(rig_load(root ? "rsqrt.approx.ftz.f64 %d0, %d1" : "rcp.approx.ftz.f64 %d0, %d1"));
      rig_set("%d1", 0, a);
      rig_run(1);
      double v = D(a), want = root ? 1 / sqrt(v) : 1 / v, got = D(rig_get("%d0", 0));
      assert_int_equal((uint32_t)rig_get("%d0", 0), 0);
      if (isnormal(v) && isnormal(want) && !(fabs(got / want - 1) <= 0x1p-18))
        fail_msg("%a gives %a, not %a", v, got, want);
    }
  }
}

static void test_refused(void **state) {
  (void)state;
  static const char *const bad[] = {"add.rn.sat.f64 %d0, %d1, %d2",
                                    "add.ftz.f64 %d0, %d1, %d2",
                                    "add.approx.f32 %r0, %r1, %r2",
                                    "div.f32 %r0, %r1, %r2",
                                    "div.sat.f32 %r0, %r1, %r2",
                                    "div.approx.f64 %d0, %d1, %d2",
                                    "fma.f32 %r0, %r1, %r2, %r3",
                                    "fma.rn.f32 %r0, %r1, %r2",
                                    "mad.f32 %r0, %r1, %r2, %r3",
                                    "sqrt.f32 %r0, %r1",
                                    "sqrt.approx.f64 %d0, %d1",
                                    "rsqrt.rn.f32 %r0, %r1",
                                    "sin.f32 %r0, %r1",
                                    "sin.approx.f64 %d0, %d1",
                                    "ex2.approx.f64 %d0, %d1",
                                    "min.NaN.f64 %d0, %d1, %d2",
                                    "rem.f32 %r0, %r1, %r2",
                                    "abs.sat.f32 %r0, %r1",
                                    "add.rna.f32 %r0, %r1, %r2",
                                    "max.relu.f32 %r0, %r1, %r2",
                                    "testp.finite.f32 %r0, %r1",
                                    "neg.rn.f32 %r0, %r1",
                                    "add.f32 %d0, %d1, %d2",
                                    "min.f32 %r0, %r1, %r2, %r3",
                                    "rcp.approx.f64 %d0, %d1",
                                    "mul.lo.f32 %r0, %r1, %r2"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    if (rig_load(bad[k])) fail_msg("%s is accepted", bad[k]);
}

int alu_float_test(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_exact),
                                     cmocka_unit_test(test_rounded),
                                     cmocka_unit_test(test_chosen),
                                     cmocka_unit_test(test_approximations),
                                     cmocka_unit_test(test_approximation_edges),
                                     cmocka_unit_test(test_division),
                                     cmocka_unit_test(test_f64_approximations),
                                     cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests_name("float", tests, NULL, NULL);
}
