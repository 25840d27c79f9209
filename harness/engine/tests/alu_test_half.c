// Half precision against the nearest of all candidates: the exact result (in 113 bits) is compared with
// neighbouring halves, so nothing here rounds.
#include <math.h>
#include "engine/tests/alu_rig.h"
#include "engine/half.h"

// Value of a half with [e] exponent bits, from its parts.
static f128 value(uint64_t h, unsigned e) {
  unsigned f = 15 - e, exponent = h >> f & ((1u << e) - 1);
  int bias = (1 << (e - 1)) - 1;
  f128 frac = (f128)(h & ((1u << f) - 1)) / (f128)(1u << f), sign = h & 0x8000 ? -1 : 1;
  if (exponent == (1u << e) - 1) return frac != 0 ? (f128)NAN : sign * (f128)INFINITY;
  return sign * (exponent ? 1 + frac : frac) * (f128)ldexp(1, exponent ? (int)exponent - bias : 1 - bias);
}

// As value, but infinity counts as the number after the largest: what rounding compares with.
static f128 grid(uint64_t mag, unsigned e) {
  unsigned f = 15 - e;
  return mag == ((1u << e) - 1) << f ? (f128)ldexp(1, 1 << (e - 1)) : value(mag, e);
}

// The half nearest to [v]; ties to even. [zero]: sign bit of a result of zero.
static uint64_t nearest(f128 v, unsigned e, uint64_t zero) {
  if (v != v) return 0x7fff;
  uint64_t sign = v < 0 ? 0x8000 : v > 0 ? 0 : zero, lo = 0, hi = ((1u << e) - 1) << (15 - e);
  if (v < 0) v = -v;
  if (v >= grid(hi, e)) return sign | hi;
  while (hi - lo > 1) {
    uint64_t mid = (lo + hi) / 2;
    if (grid(mid, e) <= v) lo = mid;
    else hi = mid;
  }
  f128 below = v - grid(lo, e), above = grid(hi, e) - v;
  return sign | (below < above || (below == above && !(lo & 1)) ? lo : hi);
}

#define H(u) value((u)&0xffff, 5)
// Sign of a zero sum: negative only if both parts are.
static bool negative(uint64_t h) { return h >> 15 & 1; }
static uint64_t zsum(bool a, bool b) { return a && b ? 0x8000 : 0; }
static uint64_t add(uint64_t a, uint64_t b, unsigned e) {
  return nearest(value(a & 0xffff, e) + value(b & 0xffff, e), e, zsum(negative(a), negative(b)));
}
static uint64_t sub(uint64_t a, uint64_t b, unsigned e) {
  return (b & 0x7fff) > (((1u << e) - 1) << (15 - e)) ? 0x7fff : add(a, b ^ 0x8000, e);
}
static uint64_t mul(uint64_t a, uint64_t b, unsigned e) {
  return nearest(value(a & 0xffff, e) * value(b & 0xffff, e), e, (a ^ b) & 0x8000);
}
static uint64_t fma3(uint64_t a, uint64_t b, uint64_t c, unsigned e) {
  return nearest(rig_fused(value(a & 0xffff, e), value(b & 0xffff, e), value(c & 0xffff, e)), e, 0);
}
// fma with the sign of zero: of an exact zero as a sum's, of one by underflow as the product's.
static uint64_t fma_signed(uint64_t a, uint64_t b, uint64_t c, unsigned e) {
  uint64_t r = fma3(a, b, c, e);
  bool zero = value(a & 0xffff, e) * value(b & 0xffff, e) == 0 && (c & 0x7fff) == 0;
  return zero && !(r & 0x7fff) ? zsum(negative(a ^ b), negative(c)) : r;
}
#define PAIR(EXPR_LO, EXPR_HI) ((EXPR_LO) | (uint64_t)(EXPR_HI) << 16)
static uint64_t clamped(uint64_t h) {
  return h & 0x8000 || (h & 0x7fff) > 0x7c00 ? 0 : h > 0x3c00 ? 0x3c00 : h;
}
static uint64_t z16(uint64_t h) { return (h & 0x7fff) < 0x400 ? h & 0x8000 : h & 0xffff; }
static uint64_t pick(uint64_t a, uint64_t b, unsigned e, bool max, bool nan_wins) {
  bool na = isnan((double)value(a, e)), nb = isnan((double)value(b, e));
  if ((na && nb) || (nan_wins && (na || nb))) return 0x7fff;
  if (na || nb) return na ? b : a;
  int64_t x = negative(a) ? -(int64_t)(a & 0x7fff) - 1 : (int64_t)a,
          y = negative(b) ? -(int64_t)(b & 0x7fff) - 1 : (int64_t)b;
  return (x < y) == max ? b : a; // halves order as sign and magnitude
}
ORACLE(add16, add(a, b, 5))
ORACLE(sub16, sub(a, b, 5))
ORACLE(mul16, mul(a, b, 5))
ORACLE(fma16, fma_signed(a, b, c, 5))
ORACLE(add16s, clamped(add(a, b, 5)))
ORACLE(add16z, z16(add(z16(a), z16(b), 5)))
ORACLE(add16x2, PAIR(add(a, b, 5), add(a >> 16, b >> 16, 5)))
ORACLE(fma16x2, PAIR(fma_signed(a, b, c, 5), fma_signed(a >> 16, b >> 16, c >> 16, 5)))
ORACLE(addb, add(a, b, 8))
ORACLE(mulb, mul(a, b, 8))
ORACLE(fmab, fma_signed(a, b, c, 8))
ORACLE(subbx2, PAIR(sub(a, b, 8), sub(a >> 16, b >> 16, 8)))
ORACLE(neg16, a ^ 0x8000)
ORACLE(neg16x2, a ^ 0x80008000)
ORACLE(abs16, a & 0x7fff)
ORACLE(min16, pick(a, b, 5, false, false))
ORACLE(max16n, pick(a, b, 5, true, true))
ORACLE(max16x2, PAIR(pick(a & 0xffff, b & 0xffff, 5, true, false), pick(a >> 16, b >> 16, 5, true, false)))
ORACLE(minb, pick(a, b, 8, false, false))

static const rig_case cases[] = {
    {"add.f16", "hhh", "ee", add16, 0},
    {"add.rn.f16", "hhh", "ee", add16, 0},
    {"sub.f16", "hhh", "ee", sub16, 0},
    {"mul.f16", "hhh", "ee", mul16, 0},
    {"fma.rn.f16", "hhhh", "eee", fma16, 0},
    {"add.sat.f16", "hhh", "ee", add16s, 0},
    {"add.ftz.f16", "hhh", "ee", add16z, 0},
    {"add.f16x2", "rrr", "PP", add16x2, 0},
    {"fma.rn.f16x2", "rrrr", "PPP", fma16x2, 0},
    {"add.bf16", "hhh", "bb", addb, 0},
    {"mul.bf16", "hhh", "bb", mulb, 0},
    {"fma.rn.bf16", "hhhh", "bbb", fmab, 0},
    {"sub.bf16x2", "rrr", "BB", subbx2, 0},
    {"neg.f16", "hh", "e", neg16, 0},
    {"neg.bf16", "hh", "b", neg16, 0},
    {"neg.f16x2", "rr", "P", neg16x2, 0},
    {"abs.f16", "hh", "e", abs16, 0},
    {"abs.bf16", "hh", "b", abs16, 0},
    {"min.f16", "hhh", "ee", min16, 0},
    {"max.NaN.f16", "hhh", "ee", max16n, 0},
    {"max.f16x2", "rrr", "PP", max16x2, 0},
    {"min.bf16", "hhh", "bb", minb, 0},
};
static void test_half(void **state) {
  (void)state;
  RIG_CHECK_ALL(cases);
}

static void test_functions(void **state) {
  (void)state;
  for (uint64_t h = 0; h < 0x10000; h += 7) {
    f128 x = H(h);
    assert_true(rig_load("ex2.approx.f16 %h0, %h1"));
    rig_set("%h1", 0, h);
    rig_run(1);
    uint64_t r = rig_get("%h0", 0), want = nearest((f128)exp2((double)x), 5, 0);
    if (rig_ulps((uint32_t)r, (uint32_t)want) > 1)
      fail_msg("ex2 of %04x is %04x, not %04x", (unsigned)h, (unsigned)r, (unsigned)want);
    assert_true(rig_load("tanh.approx.f16 %h0, %h1"));
    rig_run(1);
    want = nearest((f128)tanh((double)x), 5, h & 0x8000);
    assert_true(rig_ulps((uint32_t)rig_get("%h0", 0), (uint32_t)want) <= 1);
  }
}

static void test_refused(void **state) {
  (void)state;
  static const char *const bad[] = {"add.rz.f16 %h0, %h1, %h2",   "add.f16 %r0, %r1, %r2",
                                    "add.f16x2 %h0, %h1, %h2",    "add.ftz.bf16 %h0, %h1, %h2",
                                    "fma.f16 %h0, %h1, %h2, %h3", "div.f16 %h0, %h1, %h2",
                                    "sqrt.rn.f16 %h0, %h1",       "sin.approx.f16 %h0, %h1",
                                    "ex2.f16 %h0, %h1",           "mad.rn.f16 %h0, %h1, %h2, %h3"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    if (rig_load(bad[k])) fail_msg("%s is accepted", bad[k]);
}

int alu_half_test(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_half), cmocka_unit_test(test_functions),
                                     cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests_name("half", tests, NULL, NULL);
}
