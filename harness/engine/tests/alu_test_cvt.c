// Conversions: every pair of integer types and register widths, integers and floats by every rounding mode,
// floats among each other. The oracle rounds by search: it compares the exact value with the neighbours in
// the type.
#include <math.h>
#include <stdlib.h>
#include "engine/tests/alu_rig.h"
#include "engine/half.h"

static const char *const int_types[] = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};
static unsigned bits_of(const char *t) { return (unsigned)atoi(t + 1); }
static char register_for(unsigned bits) { return bits <= 16 ? 'h' : bits == 32 ? 'r' : 'd'; }
static i128 read_int(const char *t, uint64_t v) { return *t == 's' ? sx(v, bits_of(t)) : zx(v, bits_of(t)); }
static i128 lowest(const char *t) { return *t == 's' ? -((i128)1 << (bits_of(t) - 1)) : 0; }
static i128 highest(const char *t) { return ((i128)1 << (bits_of(t) - (*t == 's'))) - 1; }
static i128 clamp(const char *t, i128 v) {
  return v < lowest(t) ? lowest(t) : v > highest(t) ? highest(t) : v;
}
static unsigned reg_bits(char r) { return r == 'h' ? 16 : r == 'r' ? 32 : 64; }

static void load(const char *text) {
  if (!rig_load(text)) fail_msg("%s is refused: %s", text, rig_error);
}

static void check_int(const char *to, const char *from, bool sat, char dreg, char sreg) {
  char text[100], src[8] = {'%', sreg, '1', 0}, dst[8] = {'%', dreg, '0', 0};
  snprintf(text, sizeof text, "cvt.%s%s.%s %s, %s", sat ? "sat." : "", to, from, dst, src);
  load(text);
  for (unsigned round = 0; round < 3; round++) {
    for (int l = 0; l < SL_LANES; l++)
      rig_set(src, l, rig_value('i', reg_bits(sreg), round * 32 + (unsigned)l)), rig_set(dst, l, 1);
    rig_run(round ? 0x0f0f0ff0 : SL_FULL);
    for (int l = 0; l < SL_LANES; l++) {
      if (round && !(0x0f0f0ff0 >> l & 1)) {
        assert_int_equal(rig_get(dst, l), 1);
        continue;
      }
      i128 v = read_int(from, rig_get(src, l));
      uint64_t want = (uint64_t)read_int(to, (uint64_t)(sat ? clamp(to, v) : v)), got = rig_get(dst, l);
      if (dreg != 'd') want &= (1ull << reg_bits(dreg)) - 1;
      if (got != want)
        fail_msg("%s of %llx is %llx, not %llx", text, (unsigned long long)rig_get(src, l),
                 (unsigned long long)got, (unsigned long long)want);
    }
  }
}

static void test_integers(void **state) {
  (void)state;
  for (unsigned a = 0; a < 8; a++)
    for (unsigned b = 0; b < 8; b++)
      for (unsigned d = 0; d < 3; d++)
        for (unsigned s = 0; s < 3; s++) {
          char dreg = "hrd"[d], sreg = "hrd"[s];
          if (reg_bits(dreg) < bits_of(int_types[a]) || reg_bits(sreg) < bits_of(int_types[b])) continue;
          check_int(int_types[a], int_types[b], false, dreg, sreg);
          check_int(int_types[a], int_types[b], true, dreg, sreg);
        }
}

// A float type: explicit bits and the smallest exponent; its values from its bits and back.
typedef struct ftype {
  const char *name;
  char reg, pool;
  unsigned bits, frac;
  int emin;
} ftype;
static const ftype f32 = {"f32", 'r', 'f', 32, 23, -126}, f64 = {"f64", 'd', 'g', 64, 52, -1022},
                   f16 = {"f16", 'h', 'e', 16, 10, -14}, bf16 = {"bf16", 'h', 'b', 16, 7, -126},
                   tf32 = {"tf32", 'r', 'f', 19, 10, -126};
static uint64_t infinity_of(const ftype *t) { return ((1ull << (t->bits - 1 - t->frac)) - 1) << t->frac; }
static bool is_nan(const ftype *t, uint64_t u) { return (u & ~(1ull << (t->bits - 1))) > infinity_of(t); }
// Value of magnitude [m]; infinity as the number that would follow.
static f128 grid(const ftype *t, uint64_t m) {
  uint64_t e = m >> t->frac, frac = m & ((1ull << t->frac) - 1);
  f128 v = (f128)(e ? frac | 1ull << t->frac : frac);
  int scale = t->emin - (int)t->frac + (e ? (int)e - 1 : 0);
  for (; scale > 1000; scale -= 1000) v *= (f128)0x1p1000;
  for (; scale < -1000; scale += 1000) v *= (f128)0x1p-1000;
  return v * (f128)ldexp(1, scale);
}
static f128 value(const ftype *t, uint64_t u) {
  uint64_t sign = u >> (t->bits - 1) & 1,
           m = u & ~(1ull << (t->bits - 1)) & (t->bits == 64 ? ~0ull : (1ull << t->bits) - 1);
  if (is_nan(t, u)) return (f128)NAN;
  f128 v = m == infinity_of(t) ? (f128)INFINITY : grid(t, m);
  return sign ? -v : v;
}
// Bits of [v] in type t by mode n z m p, or a (nearest, ties away). [zero]: sign of a zero.
static uint64_t rounded(const ftype *t, f128 v, char mode, bool zero) {
  uint64_t lo = 0, hi = infinity_of(t), sign = (v < 0 || (v == 0 && zero) ? 1ull : 0) << (t->bits - 1);
  bool negative = v < 0;
  if (v != v) return (1ull << (t->bits - 1)) - 1;
  if (v < 0) v = -v;
  if (v - v != 0) return sign | hi;
  if (v < grid(t, hi))
    while (hi - lo > 1) {
      uint64_t mid = (lo + hi) / 2;
      if (grid(t, mid) <= v) lo = mid;
      else hi = mid;
    }
  else lo = hi - 1;
  if (grid(t, lo) == v) return sign | lo;
  f128 below = v - grid(t, lo), above = grid(t, hi) - v;
  bool up = mode == 'z'   ? false
            : mode == 'm' ? negative
            : mode == 'p' ? !negative
                          : below > above || (below == above && (mode == 'a' || lo & 1));
  return sign | (up ? hi : lo);
}

static void check_float(const char *text, const ftype *to, char mode, const char *sreg, char pool,
                        unsigned bits, f128 (*in)(uint64_t), const char *dst, unsigned shift) {
  load(text);
  for (unsigned round = 0; round < 12; round++) {
    for (int l = 0; l < SL_LANES; l++) rig_set(sreg, l, rig_value(pool, bits, round * 32 + (unsigned)l));
    rig_run(SL_FULL);
    for (int l = 0; l < SL_LANES; l++) {
      f128 v = in(rig_get(sreg, l));
      uint64_t want = rounded(to, v, mode, pool != 'i' && rig_get(sreg, l) >> (bits - 1)) << shift,
               got = rig_get(dst, l);
      if (v != v) want = to->bits == 64 ? SL_NAN64 : (1ull << (to->bits + shift - 1)) - 1;
      // tf32 with ties away: the hardware cuts
      if (v != v && mode == 'a') want = rig_get(sreg, l) & 0xffffe000;
      if (got != want)
        fail_msg("%s of %llx is %llx, not %llx", text, (unsigned long long)rig_get(sreg, l),
                 (unsigned long long)got, (unsigned long long)want);
    }
  }
}

#define VALUE(NAME, EXPR)                                                                                    \
  static f128 NAME(uint64_t u) { return (EXPR); }
VALUE(in_u8, (f128)zx(u, 8))
VALUE(in_s8, (f128)sx(u, 8))
VALUE(in_u16, (f128)zx(u, 16))
VALUE(in_s16, (f128)sx(u, 16))
VALUE(in_u32, (f128)zx(u, 32))
VALUE(in_s32, (f128)sx(u, 32))
VALUE(in_u64, (f128)zx(u, 64))
VALUE(in_s64, (f128)sx(u, 64))
VALUE(in_f32, value(&f32, u))
VALUE(in_f64, value(&f64, u))
VALUE(in_f16, value(&f16, u))
VALUE(in_bf16, value(&bf16, u))
static f128 (*const int_values[])(uint64_t) = {in_u8, in_s8, in_u16, in_s16, in_u32, in_s32, in_u64, in_s64};

static void test_int_to_float(void **state) {
  (void)state;
  static const ftype *const to[] = {&f32, &f64, &f16, &bf16};
  for (unsigned t = 0; t < 4; t++)
    for (unsigned s = 0; s < 8; s++)
      for (unsigned m = 0; m < 4; m++) {
        char text[80], src[8] = {'%', register_for(bits_of(int_types[s])), '1', 0},
                       dst[8] = {'%', to[t]->reg, '0', 0};
        if (bits_of(int_types[s]) == 8) src[1] = 'r';
        snprintf(text, sizeof text, "cvt.r%c.%s.%s %s, %s", "nzmp"[m], to[t] -> name, int_types[s], dst, src);
        check_float(text, to[t], "nzmp"[m], src, 'i', reg_bits(src[1]), int_values[s], dst, 0);
      }
}

static void test_float_to_float(void **state) {
  (void)state;
  static const struct {
    const char *text;
    const ftype *to;
    char mode;
    const char *src;
    const ftype *from;
    f128 (*in)(uint64_t);
    unsigned shift;
  } rows[] = {{"cvt.rn.f32.f64 %r0, %d1", &f32, 'n', "%d1", &f64, in_f64, 0},
              {"cvt.rz.f32.f64 %r0, %d1", &f32, 'z', "%d1", &f64, in_f64, 0},
              {"cvt.rm.f32.f64 %r0, %d1", &f32, 'm', "%d1", &f64, in_f64, 0},
              {"cvt.rp.f32.f64 %r0, %d1", &f32, 'p', "%d1", &f64, in_f64, 0},
              {"cvt.f64.f32 %d0, %r1", &f64, 'n', "%r1", &f32, in_f32, 0},
              {"cvt.f32.f16 %r0, %h1", &f32, 'n', "%h1", &f16, in_f16, 0},
              {"cvt.f32.bf16 %r0, %h1", &f32, 'n', "%h1", &bf16, in_bf16, 0},
              {"cvt.f64.f16 %d0, %h1", &f64, 'n', "%h1", &f16, in_f16, 0},
              {"cvt.rn.f16.f32 %h0, %r1", &f16, 'n', "%r1", &f32, in_f32, 0},
              {"cvt.rz.f16.f32 %h0, %r1", &f16, 'z', "%r1", &f32, in_f32, 0},
              {"cvt.rm.f16.f32 %h0, %r1", &f16, 'm', "%r1", &f32, in_f32, 0},
              {"cvt.rp.f16.f32 %h0, %r1", &f16, 'p', "%r1", &f32, in_f32, 0},
              {"cvt.rn.f16.f64 %h0, %d1", &f16, 'n', "%d1", &f64, in_f64, 0},
              {"cvt.rn.bf16.f32 %h0, %r1", &bf16, 'n', "%r1", &f32, in_f32, 0},
              {"cvt.rz.bf16.f32 %h0, %r1", &bf16, 'z', "%r1", &f32, in_f32, 0},
              {"cvt.rna.tf32.f32 %r0, %r1", &tf32, 'a', "%r1", &f32, in_f32, 13}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    char dst[8] = {'%', rows[k].to->reg, '0', 0};
    check_float(rows[k].text, rows[k].to, rows[k].mode, rows[k].src, rows[k].from->pool, rows[k].from->bits,
                rows[k].in, dst, rows[k].shift);
  }
}

// To the integer [mode] says, as a float.
static f128 whole(f128 v, char mode) {
  double d = (double)v; // f32, f64, f16 are doubles
  f128 down = floor(d), rest = v - down;
  if (rest == 0 || v != v || v - v != 0) return v;
  bool up = mode == 'z'   ? v < 0
            : mode == 'm' ? false
            : mode == 'p' ? true
                          : rest > 0.5 || (rest == 0.5 && fmod((double)down, 2) != 0);
  return down + up;
}

static void test_float_to_int(void **state) {
  (void)state;
  static const struct {
    const ftype *type;
    f128 (*in)(uint64_t);
  } from[] = {{&f32, in_f32}, {&f64, in_f64}, {&f16, in_f16}};
  for (unsigned f = 0; f < 3; f++)
    for (unsigned t = 0; t < 8; t++)
      for (unsigned m = 0; m < 4; m++) {
        const char *to = int_types[t];
        char text[80], src[8] = {'%', from[f].type->reg, '1', 0},
                       dst[8] = {'%', bits_of(to) == 64 ? 'd' : 'r', '0', 0};
        snprintf(text, sizeof text, "cvt.r%ci.%s.%s %s, %s", "nzmp"[m], to, from[f].type->name, dst, src);
        load(text);
        for (unsigned n = 0; n < 300; n++) {
          uint64_t u = rig_value(from[f].type->pool, from[f].type->bits, n);
          rig_set(src, 0, u);
          rig_run(1);
          f128 v = whole(from[f].in(u), "nzmp"[m]);
          i128 want = v != v
                          ? (bits_of(to) == 64 || from[f].type->bits == 64 ? (i128)1 << (bits_of(to) - 1) : 0)
                      : v >= (f128)0x1p70  ? highest(to)
                      : v <= -(f128)0x1p70 ? lowest(to)
                                           : clamp(to, (i128)v);
          uint64_t cut = (uint64_t)read_int(to, (uint64_t)want);
          if (dst[1] == 'r') cut = (uint32_t)cut;
          if (rig_get(dst, 0) != cut)
            fail_msg("%s of %llx is %llx, not %llx", text, (unsigned long long)u,
                     (unsigned long long)rig_get(dst, 0), (unsigned long long)cut);
        }
      }
}

static void test_integral_floats_and_modifiers(void **state) {
  (void)state;
  static const struct {
    const char *op;
    uint64_t a, want;
  } rows[] = {{"cvt.rni.f32.f32", 0x40200000, 0x40000000}, {"cvt.rzi.f32.f32", 0xc0200000, 0xc0000000},
              {"cvt.rmi.f32.f32", 0xc0200000, 0xc0400000}, {"cvt.rpi.f32.f32", 0xbf000000, 0x80000000},
              {"cvt.rpi.f32.f32", 0x00000001, 0x3f800000}, {"cvt.rpi.ftz.f32.f32", 0x00000001, 0},
              {"cvt.rmi.f32.f32", 0x7fc00001, 0x7fffffff}, {"cvt.sat.f32.f32", 0x40000000, 0x3f800000},
              {"cvt.sat.f32.f32", 0xbf800000, 0},          {"cvt.sat.f32.f32", 0x7fc00000, 0},
              {"cvt.sat.f32.f32", 0x3e800000, 0x3e800000}, {"cvt.ftz.f32.f32", 0x80000007, 0x80000000},
              {"cvt.rzi.ftz.s32.f32", 0x3f800000, 1},      {"cvt.rni.sat.u8.f32", 0x43960000, 255},
              {"cvt.rn.sat.f32.s32", 5, 0x3f800000},       {"cvt.rn.relu.tf32.f32", 0xbf800000, 0}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    char text[80];
    snprintf(text, sizeof text, "%s %%r0, %%r1", rows[k].op);
    load(text);
    rig_set("%r1", 4, rows[k].a);
    rig_run(1u << 4);
    if (rig_get("%r0", 4) != rows[k].want)
      fail_msg("%s of %llx is %llx", text, (unsigned long long)rows[k].a,
               (unsigned long long)rig_get("%r0", 4));
  }
}

static void test_pairs(void **state) {
  (void)state;
  for (unsigned n = 0; n < 400; n++) {
    uint64_t a = rig_value('f', 32, n), b = rig_value('f', 32, n * 7 % 60);
    load("cvt.rn.f16x2.f32 %r0, %r1, %r2");
    rig_set("%r1", 0, a), rig_set("%r2", 0, b);
    rig_run(1);
    uint64_t hi = isnan(sl__f32((uint32_t)a)) ? 0x7fff : rounded(&f16, in_f32(a), 'n', a >> 31),
             lo = isnan(sl__f32((uint32_t)b)) ? 0x7fff : rounded(&f16, in_f32(b), 'n', b >> 31);
    assert_int_equal(rig_get("%r0", 0), hi << 16 | lo);
    load("cvt.rn.relu.bf16x2.f32 %r0, %r1, %r2");
    rig_run(1);
    hi = isnan(sl__f32((uint32_t)a)) ? 0x7fff : a >> 31 ? 0 : rounded(&bf16, in_f32(a), 'n', 0);
    assert_int_equal(rig_get("%r0", 0) >> 16, hi);
  }
}

static void test_refused(void **state) {
  (void)state;
  static const char *const bad[] = {"cvt.f32.s32 %r0, %r1",
                                    "cvt.rn.s32.f32 %r0, %r1",
                                    "cvt.s32.f32 %r0, %r1",
                                    "cvt.rn.f64.f32 %d0, %r1",
                                    "cvt.f32.f64 %r0, %d1",
                                    "cvt.f16.f32 %h0, %r1",
                                    "cvt.u32.u64 %h0, %d1",
                                    "cvt.u64.u32 %d0, %h1",
                                    "cvt.rn.f32.s32 %d0, %r1",
                                    "cvt.rzi.s32.f32 %r0, %d1",
                                    "cvt.rn.e4m3x2.f32 %h0, %r1, %r2",
                                    "cvt.u32.pred %r0, %p1",
                                    "cvt.u32.u32 %r0, %p1",
                                    "cvt.rni.ftz.s32.f64 %r0, %d1",
                                    "cvt.b32.u32 %r0, %r1",
                                    "cvt.rn.f32.f32 %r0, %r1",
                                    "cvt.u32.u32 %r0"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    if (rig_load(bad[k])) fail_msg("%s is accepted", bad[k]);
}

int alu_cvt_test(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_integers),
                                     cmocka_unit_test(test_int_to_float),
                                     cmocka_unit_test(test_float_to_float),
                                     cmocka_unit_test(test_float_to_int),
                                     cmocka_unit_test(test_integral_floats_and_modifiers),
                                     cmocka_unit_test(test_pairs),
                                     cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests_name("cvt", tests, NULL, NULL);
}
