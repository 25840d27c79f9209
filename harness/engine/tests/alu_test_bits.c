// Bit instructions and mov against definitions bit by bit.
#include "engine/tests/alu_rig.h"

static uint64_t bit(uint64_t v, uint64_t k) { return k < 64 ? v >> k & 1 : 0; }
static uint64_t count(uint64_t v) {
  uint64_t n = 0;
  for (unsigned k = 0; k < 64; k++) n += bit(v, k);
  return n;
}
// Highest set bit below [w], -1: none.
static int64_t highest(uint64_t v, int w) {
  while (--w >= 0 && !bit(v, (uint64_t)w)) {
  }
  return w;
}
static uint64_t flip(uint64_t v, unsigned w) {
  uint64_t r = 0;
  for (unsigned k = 0; k < w; k++) r |= bit(v, k) << (w - 1 - k);
  return r;
}
static uint64_t negative(uint64_t v, unsigned w) { return bit(v, w - 1) ? ~v : v; }

ORACLE(and_, a &b)
ORACLE(or_, a | b)
ORACLE(xor_, a ^ b)
ORACLE(not_, ~a)
ORACLE(cnot, a == 0)
ORACLE(shl16, b < 16 ? (u128)a << b : 0)
ORACLE(shl32, b < 32 ? (u128)a << b : 0)
ORACLE(shl64, b < 64 ? (u128)a << b : 0)
ORACLE(shr_u, b < 64 ? a >> b : 0)
ORACLE(shr_s16, sx(a, 16) >> (b < 127 ? b : 127))
ORACLE(shr_s32, sx(a, 32) >> (b < 127 ? b : 127))
ORACLE(shr_s64, sx(a, 64) >> (b < 127 ? b : 127))
ORACLE(popc, count(a))
ORACLE(clz32, 31 - highest(a, 32))
ORACLE(clz64, 63 - highest(a, 64))
ORACLE(bfind_u, highest(a, 64))
ORACLE(bfind_s32, highest(negative(a, 32), 32))
ORACLE(bfind_s64, highest(negative(a, 64), 64))
ORACLE(bfind_shift_u32, highest(a, 32) < 0 ? -1 : 31 - highest(a, 32))
ORACLE(bfind_shift_s32, highest(negative(a, 32), 32) < 0 ? -1 : 31 - highest(negative(a, 32), 32))
ORACLE(bfind_shift_u64, highest(a, 64) < 0 ? -1 : 63 - highest(a, 64))
ORACLE(bfind_shift_s64, highest(negative(a, 64), 64) < 0 ? -1 : 63 - highest(negative(a, 64), 64))
ORACLE(brev32, flip(a, 32))
ORACLE(brev64, flip(a, 64))

// bfe as the PTX manual has it, but that the 64-bit forms look at all bits of position and length on
// hardware.
static unsigned at_most_255(uint64_t n) { return n > 255 ? 255 : (unsigned)n; }
static uint64_t extract(uint64_t a, uint64_t b, uint64_t c, unsigned w, bool is_signed) {
  unsigned pos = b & 255, len = c & 255, msb = w - 1;
  uint64_t sign = !is_signed || len == 0 ? 0 : bit(a, pos + len - 1 < msb ? pos + len - 1 : msb), r = 0;
  for (unsigned k = 0; k < w; k++) r |= (k < len && pos + k <= msb ? bit(a, pos + k) : sign) << k;
  return r;
}
ORACLE(bfe_u32, extract(a, b, c, 32, false))
ORACLE(bfe_s32, extract(a, b, c, 32, true))
ORACLE(bfe_u64, extract(a, at_most_255((uint32_t)b), at_most_255((uint32_t)c), 64, false))
ORACLE(bfe_s64, extract(a, at_most_255((uint32_t)b), at_most_255((uint32_t)c), 64, true))
static uint64_t insert(uint64_t a, uint64_t b, uint64_t c, uint64_t d, unsigned w) {
  unsigned pos = c & 255, len = d & 255;
  for (unsigned k = 0; k < len && pos + k < w; k++) b = (b & ~(1ull << (pos + k))) | bit(a, k) << (pos + k);
  return b;
}
ORACLE(bfi32, insert(a, b, c, d, 32))
ORACLE(bfi64, insert(a, b, at_most_255((uint32_t)c), at_most_255((uint32_t)d), 64))
static uint64_t mask_of(uint64_t from, uint64_t n) {
  uint64_t r = 0;
  for (uint64_t k = from; k < 32 && k - from < n; k++) r |= 1ull << k;
  return r;
}
ORACLE(bmsk_clamp, mask_of(a, b))
ORACLE(bmsk_wrap, mask_of(a % 32, b % 32))
ORACLE(szext_clamp_u, b == 0 ? 0 : b < 32 ? zx(a, (unsigned)b) : (i128)a)
ORACLE(szext_clamp_s, b == 0 ? 0 : b < 32 ? sx(a, (unsigned)b) : (i128)a)
ORACLE(szext_wrap_u, b % 32 ? zx(a, (unsigned)b % 32) : 0)
ORACLE(szext_wrap_s, b % 32 ? sx(a, (unsigned)b % 32) : 0)
ORACLE(shf_l_wrap, (u128)(b << 32 | a) << (c % 32) >> 32)
ORACLE(shf_l_clamp, (u128)(b << 32 | a) << (c < 32 ? c : 32) >> 32)
ORACLE(shf_r_wrap, (b << 32 | a) >> (c % 32))
ORACLE(shf_r_clamp, (b << 32 | a) >> (c < 32 ? c : 32))

// Byte k of the eight bytes of {b, a}.
static uint64_t byte(uint64_t a, uint64_t b, uint64_t k) {
  return (k % 8 < 4 ? a >> 8 * (k % 4) : b >> 8 * (k % 4)) & 255;
}
static uint64_t permute(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t r = 0;
  for (unsigned k = 0; k < 4; k++) {
    uint64_t sel = c >> 4 * k & 15, v = byte(a, b, sel);
    r |= (sel < 8 ? v : v > 127 ? 255 : 0) << 8 * k;
  }
  return r;
}
static uint64_t four(uint64_t a, uint64_t b, uint64_t k0, uint64_t k1, uint64_t k2, uint64_t k3) {
  return byte(a, b, k0) | byte(a, b, k1) << 8 | byte(a, b, k2) << 16 | byte(a, b, k3) << 24;
}
static uint64_t below(uint64_t x, uint64_t y) { return x < y ? x : y; }
static uint64_t above(uint64_t x, uint64_t y) { return x > y ? x : y; }
ORACLE(prmt, permute(a, b, c))
ORACLE(prmt_f4e, four(a, b, c % 4, c % 4 + 1, c % 4 + 2, c % 4 + 3))
ORACLE(prmt_b4e, four(a, b, c % 4, c % 4 + 7, c % 4 + 6, c % 4 + 5))
ORACLE(prmt_rc8, four(a, b, c % 4, c % 4, c % 4, c % 4))
ORACLE(prmt_ecl, four(a, b, above(c % 4, 0), above(c % 4, 1), above(c % 4, 2), above(c % 4, 3)))
ORACLE(prmt_ecr, four(a, b, below(c % 4, 0), below(c % 4, 1), below(c % 4, 2), below(c % 4, 3)))
ORACLE(prmt_rc16, four(a, b, c % 2 * 2, c % 2 * 2 + 1, c % 2 * 2, c % 2 * 2 + 1))

static uint64_t nth(uint64_t mask, uint64_t base, int64_t offset) {
  if (offset == 0) return bit(mask, base) && base < 32 ? base : ~0ull;
  int64_t pos = (int64_t)base, n = offset < 0 ? -offset : offset;
  for (; pos >= 0 && pos < 32; pos += offset < 0 ? -1 : 1)
    if (bit(mask, (uint64_t)pos) && --n == 0) return (uint64_t)pos;
  return ~0ull;
}
ORACLE(fns, sx(c, 32) == INT32_MIN ? 0 : nth(a, b, (int64_t)sx(c, 32)))
ORACLE(same, a)

static const rig_case cases[] = {
    {"and.b16", "hhh", "ii", and_, 0},
    {"and.b32", "rrr", "ii", and_, 0},
    {"and.b64", "ddd", "ii", and_, 0},
    {"and.pred", "ppp", "pp", and_, 0},
    {"or.b16", "hhh", "ii", or_, 0},
    {"or.b32", "rrr", "ii", or_, 0},
    {"or.b64", "ddd", "ii", or_, 0},
    {"or.pred", "ppp", "pp", or_, 0},
    {"xor.b16", "hhh", "ii", xor_, 0},
    {"xor.b32", "rrr", "ii", xor_, 0},
    {"xor.b64", "ddd", "ii", xor_, 0},
    {"xor.pred", "ppp", "pp", xor_, 0},
    {"not.b16", "hh", "i", not_, 0},
    {"not.b32", "rr", "i", not_, 0},
    {"not.b64", "dd", "i", not_, 0},
    {"not.pred", "pp", "p", not_, 0},
    {"cnot.b16", "hh", "i", cnot, 0},
    {"cnot.b32", "rr", "i", cnot, 0},
    {"cnot.b64", "dd", "i", cnot, 0},
    {"shl.b16", "hhr", "is", shl16, 0},
    {"shl.b32", "rrr", "is", shl32, 0},
    {"shl.b64", "ddr", "is", shl64, 0},
    {"shr.u16", "hhr", "is", shr_u, 0},
    {"shr.u32", "rrr", "is", shr_u, 0},
    {"shr.u64", "ddr", "is", shr_u, 0},
    {"shr.b32", "rrr", "is", shr_u, 0},
    {"shr.s16", "hhr", "is", shr_s16, 0},
    {"shr.s32", "rrr", "is", shr_s32, 0},
    {"shr.s64", "ddr", "is", shr_s64, 0},
    {"popc.b32", "rr", "i", popc, 0},
    {"popc.b64", "rd", "i", popc, 0},
    {"clz.b32", "rr", "i", clz32, 0},
    {"clz.b64", "rd", "i", clz64, 0},
    {"bfind.u32", "rr", "i", bfind_u, 0},
    {"bfind.u64", "rd", "i", bfind_u, 0},
    {"bfind.s32", "rr", "i", bfind_s32, 0},
    {"bfind.s64", "rd", "i", bfind_s64, 0},
    {"bfind.shiftamt.u32", "rr", "i", bfind_shift_u32, 0},
    {"bfind.shiftamt.s32", "rr", "i", bfind_shift_s32, 0},
    {"bfind.shiftamt.u64", "rd", "i", bfind_shift_u64, 0},
    {"bfind.shiftamt.s64", "rd", "i", bfind_shift_s64, 0},
    {"brev.b32", "rr", "i", brev32, 0},
    {"brev.b64", "dd", "i", brev64, 0},
    {"fns.b32", "rrrr", "iss", fns, 0},
    {"bfe.u32", "rrrr", "iss", bfe_u32, 0},
    {"bfe.s32", "rrrr", "iss", bfe_s32, 0},
    {"bfe.u64", "ddrr", "iss", bfe_u64, 0},
    {"bfe.s64", "ddrr", "iss", bfe_s64, 0},
    {"bfi.b32", "rrrrr", "iiss", bfi32, 0},
    {"bfi.b64", "dddrr", "iiss", bfi64, 0},
    {"bmsk.clamp.b32", "rrr", "ss", bmsk_clamp, 0},
    {"bmsk.wrap.b32", "rrr", "ss", bmsk_wrap, 0},
    {"szext.clamp.u32", "rrr", "is", szext_clamp_u, 0},
    {"szext.clamp.s32", "rrr", "is", szext_clamp_s, 0},
    {"szext.wrap.u32", "rrr", "is", szext_wrap_u, 0},
    {"szext.wrap.s32", "rrr", "is", szext_wrap_s, 0},
    {"shf.l.wrap.b32", "rrrr", "iis", shf_l_wrap, 0},
    {"shf.l.clamp.b32", "rrrr", "iis", shf_l_clamp, 0},
    {"shf.r.wrap.b32", "rrrr", "iis", shf_r_wrap, 0},
    {"shf.r.clamp.b32", "rrrr", "iis", shf_r_clamp, 0},
    {"prmt.b32", "rrrr", "iii", prmt, 0},
    {"prmt.b32.f4e", "rrrr", "iis", prmt_f4e, 0},
    {"prmt.b32.b4e", "rrrr", "iis", prmt_b4e, 0},
    {"prmt.b32.rc8", "rrrr", "iis", prmt_rc8, 0},
    {"prmt.b32.ecl", "rrrr", "iis", prmt_ecl, 0},
    {"prmt.b32.ecr", "rrrr", "iis", prmt_ecr, 0},
    {"prmt.b32.rc16", "rrrr", "iis", prmt_rc16, 0},
    {"mov.b32", "rr", "i", same, 0},
    {"mov.u16", "hh", "i", same, 0},
    {"mov.f64", "dd", "i", same, 0},
    {"mov.pred", "pp", "p", same, 0},
};

static void test_bits(void **state) {
  (void)state;
  RIG_CHECK_ALL(cases);
}

// Every table of lop3, and its predicate.
static void test_lop3(void **state) {
  (void)state;
  static const char *const bools[] = {"and", "or", "xor"};
  for (unsigned lut = 0; lut < 256; lut++) {
    char text[100];
    snprintf(text, sizeof text, "lop3.%s.b32 %%r0|%%p0, %%r1, %%r2, %%r3, %u, %s%%p1", bools[lut % 3], lut,
             lut & 4 ? "!" : "");
    assert_true(rig_load(text));
    uint64_t in[SL_LANES][4];
    for (int l = 0; l < SL_LANES; l++)
      for (int k = 0; k < 4; k++) {
        in[l][k] = lut % 2 ? rig_random() : rig_random() % 2 * ~0ull;
        rig_set((const char *[]){"%r1", "%r2", "%r3", "%p1"}[k], l, in[l][k]);
      }
    assert_int_equal(rig_run(SL_FULL), SL_STEP);
    for (int l = 0; l < SL_LANES; l++) {
      uint64_t want = 0;
      for (unsigned k = 0; k < 32; k++)
        want |= bit(lut, bit(in[l][0], k) << 2 | bit(in[l][1], k) << 1 | bit(in[l][2], k)) << k;
      bool p = want != 0, q = (in[l][3] & 1) ^ (lut & 4 ? 1 : 0);
      assert_int_equal(rig_get("%r0", l), want);
      assert_int_equal(rig_get("%p0", l), lut % 3 == 0 ? p && q : lut % 3 == 1 ? p || q : p != q);
    }
  }
}

static void test_pack(void **state) {
  (void)state;
  const uint32_t mask = 0xffff00ff;
  for (int l = 0; l < SL_LANES; l++) {
    rig_set("%r1", l, 0x11110000u + (unsigned)l), rig_set("%r2", l, 0x22220000u + (unsigned)l),
        rig_set("%d0", l, 5);
    rig_set("%h1", l, 0xa000u + (unsigned)l), rig_set("%h2", l, 0xb000u + (unsigned)l);
    rig_set("%h3", l, 0xc000u + (unsigned)l), rig_set("%h4", l, 0xd000u + (unsigned)l);
  }
  assert_true(rig_load("mov.b64 %d0, {%r1, %r2}"));
  rig_run(mask);
  for (int l = 0; l < SL_LANES; l++)
    assert_int_equal(rig_get("%d0", l),
                     mask >> l & 1 ? (0x22220000ull + (unsigned)l) << 32 | (0x11110000u + (unsigned)l) : 5);
  assert_true(rig_load("mov.b64 {%r3, %r4}, %d0"));
  rig_run(SL_FULL);
  assert_int_equal(rig_get("%r3", 3), 0x11110003);
  assert_int_equal(rig_get("%r4", 3), 0x22220003);
  assert_true(rig_load("mov.b64 {_, %r3}, %d0"));
  rig_run(SL_FULL);
  assert_int_equal(rig_get("%r3", 3), 0x22220003);
  assert_true(rig_load("mov.b64 %d0, {%h1, %h2, %h3, %h4}"));
  rig_run(SL_FULL);
  assert_int_equal(rig_get("%d0", 7), 0xd007c007b007a007ull);
  assert_true(rig_load("mov.b64 {%h4, %h3, %h2, %h1}, %d0"));
  rig_run(SL_FULL);
  assert_int_equal(rig_get("%h1", 7), 0xd007);
  assert_int_equal(rig_get("%h4", 7), 0xa007);
  assert_true(rig_load("mov.b32 %r0, {%h1, %h2}"));
  rig_run(SL_FULL);
  assert_int_equal(rig_get("%r0", 7), 0xc007d007);
  assert_true(rig_load("mov.b32 {%h5, %h6}, %r0"));
  rig_run(SL_FULL);
  assert_int_equal(rig_get("%h5", 7), 0xd007);
  assert_int_equal(rig_get("%h6", 7), 0xc007);
}

static void test_refused(void **state) {
  (void)state;
  static const char *const bad[] = {"and.u32 %r0, %r1, %r2",
                                    "and.b32 %r0, %r1, %h2",
                                    "and.pred %p0, %p1, %r2",
                                    "shl.u32 %r0, %r1, %r2",
                                    "shl.b64 %d0, %d1, %d2",
                                    "shr.wrap.u32 %r0, %r1, %r2",
                                    "popc.b64 %d0, %d1",
                                    "popc.u32 %r0, %r1",
                                    "bfe.b32 %r0, %r1, %r2, %r3",
                                    "bmsk.b32 %r0, %r1, %r2",
                                    "shf.l.b32 %r0, %r1, %r2, %r3",
                                    "shf.l.wrap.b64 %d0, %d1, %d2, %r3",
                                    "lop3.b32 %r0, %r1, %r2, %r3, %r4",
                                    "lop3.b64 %d0, %d1, %d2, %d3, 5",
                                    "lop3.b32 %r0|%p0, %r1, %r2, %r3, 5",
                                    "mov.b64 %d0, {%r1, %h2}",
                                    "mov.b64 %d0, %r1",
                                    "mov.b32 %r0, %p1",
                                    "mov.b64 %d0, {%r1, %r2, %r3}",
                                    "mov.b16 %h0, {%h1, %h2, %h0, %h1}",
                                    "mov.b64 {%r0, %r1}, %r2",
                                    "brev.b16 %h0, %h1",
                                    "and.b32 %r0|%p0, %r1, %r2"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    if (rig_load(bad[k])) fail_msg("%s is accepted", bad[k]);
}

int alu_bits_test(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bits), cmocka_unit_test(test_lop3),
                                     cmocka_unit_test(test_pack), cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests_name("bits", tests, NULL, NULL);
}
