// Integer instructions against exact 128-bit arithmetic.
#include "engine/tests/alu_rig.h"

#define S(v) sx(v, 32)
#define U(v) zx(v, 32)
static i128 clamp32(i128 v) { return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v; }
static i128 iabs(i128 v) { return v < 0 ? -v : v; }
// Quotient and remainder as the hardware gives them.
static i128 quot(i128 a, i128 b) { return b == 0 ? -1 : a / b; }
static i128 rest(i128 a, i128 b) { return b == 0 ? -1 : a - a / b * b; }

ORACLE(add, (u128)a + b)
ORACLE(add_sat, clamp32(S(a) + S(b)))
ORACLE(add_16x2, ((zx(a, 16) + zx(b, 16)) & 0xffff) | ((i128)((a >> 16) + (b >> 16)) & 0xffff) << 16)
ORACLE(sub, (u128)a - b)
ORACLE(sub_sat, clamp32(S(a) - S(b)))
ORACLE(mul, (u128)a *b)
ORACLE(mul_hi_u16, zx(a, 16) * zx(b, 16) >> 16)
ORACLE(mul_hi_s16, sx(a, 16) * sx(b, 16) >> 16)
ORACLE(mul_hi_u32, U(a) * U(b) >> 32)
ORACLE(mul_hi_s32, S(a) * S(b) >> 32)
ORACLE(mul_hi_u64, (u128)a *b >> 64)
ORACLE(mul_hi_s64, sx(a, 64) * sx(b, 64) >> 64)
ORACLE(mul_wide_s16, sx(a, 16) * sx(b, 16))
ORACLE(mul_wide_s32, S(a) * S(b))
ORACLE(mad, (u128)a *b + c)
ORACLE(mad_wide_s16, sx(a, 16) * sx(b, 16) + sx(c, 32))
ORACLE(mad_wide_s32, S(a) * S(b) + sx(c, 64))
ORACLE(mad_hi_u16, (zx(a, 16) * zx(b, 16) >> 16) + c)
ORACLE(mad_hi_s16, (sx(a, 16) * sx(b, 16) >> 16) + sx(c, 16))
ORACLE(mad_hi_u32, (U(a) * U(b) >> 32) + U(c))
ORACLE(mad_hi_s32, (S(a) * S(b) >> 32) + S(c))
ORACLE(mad_hi_sat, clamp32((S(a) * S(b) >> 32) + S(c)))
ORACLE(mad_hi_u64, (i128)((u128)a *b >> 64) + c)
ORACLE(mad_hi_s64, (sx(a, 64) * sx(b, 64) >> 64) + sx(c, 64))
ORACLE(mul24_lo_u, zx(a, 24) * zx(b, 24))
ORACLE(mul24_lo_s, sx(a, 24) * sx(b, 24))
ORACLE(mul24_hi_u, zx(a, 24) * zx(b, 24) >> 16)
ORACLE(mul24_hi_s, sx(a, 24) * sx(b, 24) >> 16)
ORACLE(mad24_lo_u, zx(a, 24) * zx(b, 24) + c)
ORACLE(mad24_lo_s, sx(a, 24) * sx(b, 24) + S(c))
ORACLE(mad24_hi_u, (zx(a, 24) * zx(b, 24) >> 16) + c)
ORACLE(mad24_hi_s, (sx(a, 24) * sx(b, 24) >> 16) + S(c))
ORACLE(mad24_hi_sat, clamp32(sx((uint64_t)(sx(a, 24) * sx(b, 24) >> 16), 32) + S(c)))
ORACLE(sad_u, iabs((i128)a - b) + c)
ORACLE(sad_s16, iabs(sx(a, 16) - sx(b, 16)) + sx(c, 16))
ORACLE(sad_s32, iabs(S(a) - S(b)) + S(c))
ORACLE(sad_s64, iabs(sx(a, 64) - sx(b, 64)) + sx(c, 64))
ORACLE(div_u, quot(a, b))
ORACLE(div_s16, quot(sx(a, 16), sx(b, 16)))
ORACLE(div_s32, quot(S(a), S(b)))
ORACLE(div_s64, quot(sx(a, 64), sx(b, 64)))
ORACLE(rem_u, rest(a, b))
ORACLE(rem_s16, rest(sx(a, 16), sx(b, 16)))
ORACLE(rem_s32, rest(S(a), S(b)))
ORACLE(rem_s64, rest(sx(a, 64), sx(b, 64)))
ORACLE(abs16, iabs(sx(a, 16)))
ORACLE(abs32, iabs(S(a)))
ORACLE(abs64, iabs(sx(a, 64)))
ORACLE(neg, -(i128)a)
ORACLE(min_u, a < b ? a : b)
ORACLE(max_u, a < b ? b : a)
ORACLE(min_s16, sx(a, 16) < sx(b, 16) ? a : b)
ORACLE(max_s16, sx(a, 16) < sx(b, 16) ? b : a)
ORACLE(min_s32, S(a) < S(b) ? a : b)
ORACLE(max_s32, S(a) < S(b) ? b : a)
ORACLE(min_s64, sx(a, 64) < sx(b, 64) ? a : b)
ORACLE(max_s64, sx(a, 64) < sx(b, 64) ? b : a)
ORACLE(min_u16x2, min_u(a & 0xffff, b & 0xffff, 0, 0) | min_u(a >> 16, b >> 16, 0, 0) << 16)
ORACLE(max_s16x2, max_s16(a & 0xffff, b & 0xffff, 0, 0) | max_s16(a >> 16, b >> 16, 0, 0) << 16)

// Dot products by single bytes.
static i128 dot(uint64_t a, uint64_t b, unsigned step, unsigned first_b, bool sa, bool sb) {
  i128 sum = 0;
  for (unsigned k = 0; k < 32 / step; k++) {
    uint64_t x = a >> step * k, y = b >> 8 * (k + first_b);
    sum += (sa ? sx(x, step) : zx(x, step)) * (sb ? sx(y, 8) : zx(y, 8));
  }
  return sum;
}
ORACLE(dp4a_uu, dot(a, b, 8, 0, 0, 0) + c)
ORACLE(dp4a_us, dot(a, b, 8, 0, 0, 1) + c)
ORACLE(dp4a_su, dot(a, b, 8, 0, 1, 0) + c)
ORACLE(dp4a_ss, dot(a, b, 8, 0, 1, 1) + c)
ORACLE(dp2a_lo_us, dot(a, b, 16, 0, 0, 1) + c)
ORACLE(dp2a_hi_su, dot(a, b, 16, 2, 1, 0) + c)
ORACLE(dp2a_hi_ss, dot(a, b, 16, 2, 1, 1) + c)

static const rig_case cases[] = {
    {"add.s32", "rrr", "ii", add, 0},
    {"add.u32", "rrr", "ii", add, 0},
    {"add.s64", "ddd", "ii", add, 0},
    {"add.u64", "ddd", "ii", add, 0},
    {"add.s16", "hhh", "ii", add, 0},
    {"add.u16", "hhh", "ii", add, 0},
    {"add.sat.s32", "rrr", "ii", add_sat, 0},
    {"add.u16x2", "rrr", "ii", add_16x2, 0},
    {"add.s16x2", "rrr", "ii", add_16x2, 0},
    {"sub.s32", "rrr", "ii", sub, 0},
    {"sub.u64", "ddd", "ii", sub, 0},
    {"sub.u16", "hhh", "ii", sub, 0},
    {"sub.sat.s32", "rrr", "ii", sub_sat, 0},
    {"mul.lo.s32", "rrr", "ii", mul, 0},
    {"mul.lo.u64", "ddd", "ii", mul, 0},
    {"mul.lo.s16", "hhh", "ii", mul, 0},
    {"mul.hi.u16", "hhh", "ii", mul_hi_u16, 0},
    {"mul.hi.s16", "hhh", "ii", mul_hi_s16, 0},
    {"mul.hi.u32", "rrr", "ii", mul_hi_u32, 0},
    {"mul.hi.s32", "rrr", "ii", mul_hi_s32, 0},
    {"mul.hi.u64", "ddd", "ii", mul_hi_u64, 0},
    {"mul.hi.s64", "ddd", "ii", mul_hi_s64, 0},
    {"mul.wide.u16", "rhh", "ii", mul, 0},
    {"mul.wide.s16", "rhh", "ii", mul_wide_s16, 0},
    {"mul.wide.u32", "drr", "ii", mul, 0},
    {"mul.wide.s32", "drr", "ii", mul_wide_s32, 0},
    {"mad.lo.s32", "rrrr", "iii", mad, 0},
    {"mad.lo.u64", "dddd", "iii", mad, 0},
    {"mad.lo.u16", "hhhh", "iii", mad, 0},
    {"mad.wide.u16", "rhhr", "iii", mad, 0},
    {"mad.wide.s16", "rhhr", "iii", mad_wide_s16, 0},
    {"mad.wide.u32", "drrd", "iii", mad, 0},
    {"mad.wide.s32", "drrd", "iii", mad_wide_s32, 0},
    {"mad.hi.u16", "hhhh", "iii", mad_hi_u16, 0},
    {"mad.hi.s16", "hhhh", "iii", mad_hi_s16, 0},
    {"mad.hi.u32", "rrrr", "iii", mad_hi_u32, 0},
    {"mad.hi.s32", "rrrr", "iii", mad_hi_s32, 0},
    {"mad.hi.sat.s32", "rrrr", "iii", mad_hi_sat, 0},
    {"mad.hi.u64", "dddd", "iii", mad_hi_u64, 0},
    {"mad.hi.s64", "dddd", "iii", mad_hi_s64, 0},
    {"mul24.lo.u32", "rrr", "ii", mul24_lo_u, 0},
    {"mul24.lo.s32", "rrr", "ii", mul24_lo_s, 0},
    {"mul24.hi.u32", "rrr", "ii", mul24_hi_u, 0},
    {"mul24.hi.s32", "rrr", "ii", mul24_hi_s, 0},
    {"mad24.lo.u32", "rrrr", "iii", mad24_lo_u, 0},
    {"mad24.lo.s32", "rrrr", "iii", mad24_lo_s, 0},
    {"mad24.hi.u32", "rrrr", "iii", mad24_hi_u, 0},
    {"mad24.hi.s32", "rrrr", "iii", mad24_hi_s, 0},
    {"mad24.hi.sat.s32", "rrrr", "iii", mad24_hi_sat, 0},
    {"sad.u16", "hhhh", "iii", sad_u, 0},
    {"sad.u32", "rrrr", "iii", sad_u, 0},
    {"sad.u64", "dddd", "iii", sad_u, 0},
    {"sad.s16", "hhhh", "iii", sad_s16, 0},
    {"sad.s32", "rrrr", "iii", sad_s32, 0},
    {"sad.s64", "dddd", "iii", sad_s64, 0},
    {"div.u16", "hhh", "ii", div_u, 0},
    {"div.u32", "rrr", "ii", div_u, 0},
    {"div.u64", "ddd", "ii", div_u, 0},
    {"div.s16", "hhh", "ii", div_s16, 0},
    {"div.s32", "rrr", "ii", div_s32, 0},
    {"div.s64", "ddd", "ii", div_s64, 0},
    {"rem.u16", "hhh", "ii", rem_u, 0},
    {"rem.u32", "rrr", "ii", rem_u, 0},
    {"rem.u64", "ddd", "ii", rem_u, 0},
    {"rem.s16", "hhh", "ii", rem_s16, 0},
    {"rem.s32", "rrr", "ii", rem_s32, 0},
    {"rem.s64", "ddd", "ii", rem_s64, 0},
    {"abs.s16", "hh", "i", abs16, 0},
    {"abs.s32", "rr", "i", abs32, 0},
    {"abs.s64", "dd", "i", abs64, 0},
    {"neg.s16", "hh", "i", neg, 0},
    {"neg.s32", "rr", "i", neg, 0},
    {"neg.s64", "dd", "i", neg, 0},
    {"min.u16", "hhh", "ii", min_u, 0},
    {"min.u32", "rrr", "ii", min_u, 0},
    {"min.u64", "ddd", "ii", min_u, 0},
    {"max.u16", "hhh", "ii", max_u, 0},
    {"max.u32", "rrr", "ii", max_u, 0},
    {"max.u64", "ddd", "ii", max_u, 0},
    {"min.s16", "hhh", "ii", min_s16, 0},
    {"min.s32", "rrr", "ii", min_s32, 0},
    {"min.s64", "ddd", "ii", min_s64, 0},
    {"max.s16", "hhh", "ii", max_s16, 0},
    {"max.s32", "rrr", "ii", max_s32, 0},
    {"max.s64", "ddd", "ii", max_s64, 0},
    {"min.u16x2", "rrr", "ii", min_u16x2, 0},
    {"max.s16x2", "rrr", "ii", max_s16x2, 0},
    {"dp4a.u32.u32", "rrrr", "iii", dp4a_uu, 0},
    {"dp4a.u32.s32", "rrrr", "iii", dp4a_us, 0},
    {"dp4a.s32.u32", "rrrr", "iii", dp4a_su, 0},
    {"dp4a.s32.s32", "rrrr", "iii", dp4a_ss, 0},
    {"dp2a.lo.u32.s32", "rrrr", "iii", dp2a_lo_us, 0},
    {"dp2a.hi.s32.u32", "rrrr", "iii", dp2a_hi_su, 0},
    {"dp2a.hi.s32.s32", "rrrr", "iii", dp2a_hi_ss, 0},
};

static void test_arithmetic(void **state) {
  (void)state;
  RIG_CHECK_ALL(cases);
}

// Runs one carry instruction with carry-in [cin] in all lanes; gives result and carry-out of lane 5.
static uint64_t carry(const char *statement, uint64_t a, uint64_t b, uint64_t c, bool cin, bool *cout) {
  char kind = strstr(statement, "%d") ? 'd' : 'r', name[16];
  if (!rig_load(statement)) fail_msg("%s is refused: %s", statement, rig_error);
  uint64_t v[4] = {0, a, b, c};
  for (int k = 1; k < 4; k++) {
    snprintf(name, sizeof name, "%%%c%d", kind, k);
    if (strstr(statement, name))
      for (int l = 0; l < SL_LANES; l++) rig_set(name, l, v[k]);
  }
  rig_warp.cc = cin ? 0xffffffff : 0;
  rig_run(0x00ffff20);
  *cout = rig_warp.cc >> 5 & 1;
  assert_int_equal(rig_warp.cc & ~0x00ffff20u, cin ? ~0x00ffff20u : 0); // other lanes keep theirs
  snprintf(name, sizeof name, "%%%c0", kind);
  return rig_get(name, 5);
}

static void test_carry(void **state) {
  (void)state;
  for (int n = 0; n < 4000; n++) {
    uint64_t e = rig_edges('i'), a = rig_value('i', 64, rig_random() % (e + 3)),
             b = rig_value('i', 64, rig_random() % (e + 3)), c = rig_value('i', 64, rig_random() % (e + 3));
    uint64_t a4 = (uint32_t)a, b4 = (uint32_t)b, c4 = (uint32_t)c;
    bool in = rig_random() & 1, out;
    uint64_t s = a4 + b4, r = carry("add.cc.u32 %r0, %r1, %r2", a4, b4, 0, in, &out);
    assert_true(r == (uint32_t)s && out == (s >> 32 & 1));
    s = a4 + b4 + in, r = carry("addc.cc.u32 %r0, %r1, %r2", a4, b4, 0, in, &out);
    assert_true(r == (uint32_t)s && out == (s >> 32 & 1));
    r = carry("addc.u32 %r0, %r1, %r2", a4, b4, 0, in, &out);
    assert_true(r == (uint32_t)s && out == in); // without .cc the flag stays
    s = a4 - b4 - in,
    r = carry("subc.cc.s32 %r0, %r1, %r2", a4, b4, 0, !in, &out); // the flag: nothing was borrowed
    assert_true(r == (uint32_t)s && out == (a4 >= b4 + in));
    r = carry("sub.cc.s32 %r0, %r1, %r2", a4, b4, 0, in, &out);
    assert_true(r == (uint32_t)(a4 - b4) && out == (a4 >= b4));
    u128 w = (u128)a + b + in;
    r = carry("addc.cc.u64 %d0, %d1, %d2", a, b, 0, in, &out);
    assert_true(r == (uint64_t)w && out == (bool)(w >> 64));
    r = carry("subc.cc.s64 %d0, %d1, %d2", a, b, 0, !in, &out);
    assert_true(r == a - b - in && out == ((u128)a >= (u128)b + in));
    w = (u128)(uint32_t)(a4 * b4) + c4 + in;
    r = carry("madc.lo.cc.u32 %r0, %r1, %r2, %r3", a4, b4, c4, in, &out);
    assert_true(r == (uint32_t)w && out == (bool)(w >> 32));
    w = (u128)(uint32_t)(sx(a4, 32) * sx(b4, 32) >> 32) + c4;
    r = carry("mad.hi.cc.s32 %r0, %r1, %r2, %r3", a4, b4, c4, in, &out);
    assert_true(r == (uint32_t)w && out == (bool)(w >> 32));
    w = (u128)(uint64_t)((u128)a * b >> 64) + c + in;
    r = carry("madc.hi.cc.u64 %d0, %d1, %d2, %d3", a, b, c, in, &out);
    assert_true(r == (uint64_t)w && out == (bool)(w >> 64));
    r = carry("madc.hi.s64 %d0, %d1, %d2, %d3", a, b, c, in, &out);
    assert_true(r == (uint64_t)((sx(a, 64) * sx(b, 64) >> 64) + c + in) && out == in);
  }
}

static void test_class(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int cls;
  } rows[] = {{"add.s32 %r0, %r1, 7", SL_CLS_ADD_INT},
              {"add.s64 %d0, %d1, %d2", SL_CLS_ADD_INT},
              {"add.cc.u32 %r0, %r1, %r2", SL_CLS_ADD_INT},
              {"sub.s32 %r0, %r1, %r2", SL_CLS_OTHER},
              {"mad.lo.s32 %r0, %r1, %r2, %r3", SL_CLS_OTHER},
              {"add.f32 %r0, %r1, %r2", SL_CLS_ADD_FLOAT},
              {"add.rz.ftz.f32 %r0, %r1, %r2", SL_CLS_ADD_FLOAT},
              {"add.f64 %d0, %d1, %d2", SL_CLS_ADD_FLOAT},
              {"add.f16x2 %r0, %r1, %r2", SL_CLS_ADD_FLOAT},
              {"sub.f32 %r0, %r1, %r2", SL_CLS_ADD_FLOAT},
              {"fma.rn.f32 %r0, %r1, %r2, %r3", SL_CLS_FMA},
              {"mul.f32 %r0, %r1, %r2", SL_CLS_OTHER}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    assert_true(rig_load(rows[k].text));
    assert_int_equal(rig_insn.cls, rows[k].cls);
  }
}

// What must be refused when the module is loaded: forms that PTX lacks, and registers of the wrong width.
static void test_refused(void **state) {
  (void)state;
  static const char *const bad[] = {"add.sat.u32 %r0, %r1, %r2",
                                    "add.s32 %d0, %r1, %r2",
                                    "add.s32 %r0, %d1, %r2",
                                    "add.s64 %d0, %d1, %r2",
                                    "add.s32 %r0, %h1, %r2",
                                    "add.s32 %p0, %r1, %r2",
                                    "add.s32 %r0, %r1",
                                    "mul.s32 %r0, %r1, %r2",
                                    "mul.wide.s32 %r0, %r1, %r2",
                                    "mul.wide.s64 %d0, %d1, %d2",
                                    "mul.lo.sat.s32 %r0, %r1, %r2",
                                    "abs.u32 %r0, %r1",
                                    "neg.u32 %r0, %r1",
                                    "div.rn.s32 %r0, %r1, %r2",
                                    "add.cc.u16 %h0, %h1, %h2",
                                    "dp4a.u64.u32 %d0, %r1, %r2, %r3",
                                    "min.sat.s32 %r0, %r1, %r2",
                                    "min.relu.u32 %r0, %r1, %r2",
                                    "add.b32 %r0, %r1, %r2",
                                    "add.s32.s32 %r0, %r1, %r2",
                                    "add.ftz.s32 %r0, %r1, %r2",
                                    "sad.u8 %h0, %h1, %h2, %h3",
                                    "mad24.hi.cc.u32 %r0, %r1, %r2, %r3",
                                    "vadd.u32.u32.u32 %r0.b4, %r1, %r2, %r3",
                                    "vadd.u32.u32.u32 %r0, %r1.b10, %r2",
                                    "vadd.u32.u32.u32 %r0.h0, %r1, %r2",
                                    "vadd.u32.u32.u32.add %r0.h0, %r1, %r2, %r3",
                                    "vmin.u32.u32.u32.max %r0, %r1, %r2",
                                    "vshl.u32.u32.u32 %r0, %r1, %r2",
                                    "vset.u32.u32 %r0, %r1, %r2",
                                    "vmad.u32.u32.u32 %r0, %r1, %r2",
                                    "vmad.u32.u32.u32 %r0.h0, %r1, %r2, %r3",
                                    "vmad.u32.u32.u32 %r0, %r1, %r2, %r3.b0",
                                    "vmad.u32.u32.u32 %r0, %r1.b4, %r2, %r3",
                                    "vmad.s32.u32.u32 %r0, -%r1, %r2, -%r3",
                                    "vmad.s32.s32.s32.po %r0, %r1, -%r2, %r3",
                                    "vadd.s32.s32.s32 %r0, %r1, -%r2",
                                    "sub.s32 %r0, %r1, -%r2",
                                    "mad.lo.s32 -%r0, %r1, %r2, %r3",
                                    "vadd4.u32.u32.u32 %r0.h0, %r1, %r2, %r3",
                                    "vadd4.u32.u32.u32 %r0.b01, %r1, %r2, %r3",
                                    "vadd4.u32.u32.u32 %r0, %r1.b321, %r2, %r3",
                                    "vadd2.u32.u32.u32 %r0, %r1.h40, %r2, %r3",
                                    "vadd2.u32.u32.u32 %r0, %r1, %r2, %r3.h10"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    if (rig_load(bad[k])) fail_msg("%s is accepted", bad[k]);
    assert_true(rig_error[0]);
  }
}

int alu_int_test(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_carry),
                                     cmocka_unit_test(test_class), cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests_name("int", tests, NULL, NULL);
}
