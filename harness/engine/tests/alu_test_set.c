// Comparisons and selections: every comparison of every type, by its definition.
#include <math.h>
#include "engine/tests/alu_rig.h"
#include "engine/half.h"

// -1, 0, 1, or 2 when unordered.
static int order_of(double a, double b) { return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2; }
static int order_int(i128 a, i128 b) { return (a > b) - (a < b); }

typedef struct kind {
  const char *type;
  char reg, pool;
  int (*order)(uint64_t, uint64_t);
  bool is_float, bits;
} kind;
static int o_u(uint64_t a, uint64_t b) { return order_int(a, b); }
static int o_s16(uint64_t a, uint64_t b) { return order_int(sx(a, 16), sx(b, 16)); }
static int o_s32(uint64_t a, uint64_t b) { return order_int(sx(a, 32), sx(b, 32)); }
static int o_s64(uint64_t a, uint64_t b) { return order_int(sx(a, 64), sx(b, 64)); }
static int o_f32(uint64_t a, uint64_t b) { return order_of(sl__f32((uint32_t)a), sl__f32((uint32_t)b)); }
static int o_f64(uint64_t a, uint64_t b) { return order_of(sl__f64(a), sl__f64(b)); }
static uint64_t z32(uint64_t u) { return (u & 0x7fffffff) < 0x800000 ? 0 : u; }
static int o_f32z(uint64_t a, uint64_t b) { return o_f32(z32(a), z32(b)); }
// Halves as integers: sign and magnitude.
static int o_half(uint64_t a, uint64_t b, uint64_t inf) {
  if ((a & 0x7fff) > inf || (b & 0x7fff) > inf) return 2;
  int64_t x = (int64_t)(a & 0x7fff), y = (int64_t)(b & 0x7fff);
  return order_int(a & 0x8000 ? -x : x, b & 0x8000 ? -y : y);
}
static int o_f16(uint64_t a, uint64_t b) { return o_half(a, b, 0x7c00); }
static int o_bf16(uint64_t a, uint64_t b) { return o_half(a, b, 0x7f80); }
static const kind kinds[] = {
    {"u16", 'h', 'i', o_u, 0, 0},   {"s16", 'h', 'i', o_s16, 0, 0},      {"u32", 'r', 'i', o_u, 0, 0},
    {"s32", 'r', 'i', o_s32, 0, 0}, {"u64", 'd', 'i', o_u, 0, 0},        {"s64", 'd', 'i', o_s64, 0, 0},
    {"b16", 'h', 'i', o_u, 0, 1},   {"b32", 'r', 'i', o_u, 0, 1},        {"b64", 'd', 'i', o_u, 0, 1},
    {"f32", 'r', 'f', o_f32, 1, 0}, {"ftz.f32", 'r', 'f', o_f32z, 1, 0}, {"f64", 'd', 'g', o_f64, 1, 0},
    {"f16", 'h', 'e', o_f16, 1, 0}, {"bf16", 'h', 'b', o_bf16, 1, 0}};

// Comparison by the set of orders that it holds for: bit order + 1.
typedef struct cmp {
  const char *name;
  unsigned holds;
  bool for_int, for_float;
} cmp;
static const cmp cmps[] = {{"eq", 2, 1, 1},  {"ne", 5, 1, 1},   {"lt", 1, 1, 1},   {"le", 3, 1, 1},
                           {"gt", 4, 1, 1},  {"ge", 6, 1, 1},   {"equ", 10, 0, 1}, {"neu", 13, 0, 1},
                           {"ltu", 9, 0, 1}, {"leu", 11, 0, 1}, {"gtu", 12, 0, 1}, {"geu", 14, 0, 1},
                           {"num", 7, 0, 1}, {"nan", 8, 0, 1}};
static const char *const bools[] = {"", "and.", "or.", "xor."};
static bool combined(unsigned k, bool r, bool c) {
  return k == 0 ? r : k == 1 ? r && c : k == 2 ? r || c : r != c;
}

static void fill(const kind *k, uint64_t round) {
  char name[8];
  unsigned bits = k->reg == 'h' ? 16 : k->reg == 'r' ? 32 : 64, n = rig_edges(k->pool);
  for (int l = 0; l < SL_LANES; l++) {
    uint64_t at = round * 32 + (unsigned)l;
    snprintf(name, 8, "%%%c1", k->reg), rig_set(name, l, rig_value(k->pool, bits, at % n));
    snprintf(name, 8, "%%%c2", k->reg),
        rig_set(name, l, rig_value(k->pool, bits, at / n < n ? at / n : ~0ull));
    rig_set("%p1", l, rig_random());
    rig_set("%p0", l, rig_random()), rig_set("%p2", l, rig_random());
  }
}

static void check(const char *text, const kind *k, const cmp *c, unsigned b, bool negated, bool pair,
                  bool set) {
  char ra[8], rb[8];
  snprintf(ra, 8, "%%%c1", k->reg), snprintf(rb, 8, "%%%c2", k->reg);
  if (!rig_load(text)) fail_msg("%s is refused: %s", text, rig_error);
  for (uint64_t round = 0; round < (b || set ? 8u : 40u); round++) {
    uint32_t mask = round % 2 ? 0x0ff0f00fu : SL_FULL, old[SL_LANES];
    fill(k, round);
    for (int l = 0; l < SL_LANES; l++)
      old[l] = (uint32_t)rig_get("%p0", l) | (uint32_t)rig_get("%p2", l) << 1;
    assert_int_equal(rig_run(mask), SL_STEP);
    for (int l = 0; l < SL_LANES; l++) {
      uint64_t x = rig_get(ra, l), y = rig_get(rb, l);
      bool r = c->holds >> (k->order(x, y) + 1) & 1, third = rig_get("%p1", l) ^ negated, on = mask >> l & 1;
      bool p = on ? combined(b, r, third) : old[l] & 1, q = on ? combined(b, !r, third) : old[l] >> 1;
      if (set && on && rig_get("%r0", l) != (combined(b, r, third) ? 0xffffffff : 0))
        fail_msg("%s: %llx %llx", text, (unsigned long long)x, (unsigned long long)y);
      if (!set && rig_get("%p0", l) != p)
        fail_msg("%s: %llx %llx is not %d", text, (unsigned long long)x, (unsigned long long)y, p);
      if (pair && rig_get("%p2", l) != q)
        fail_msg("%s: second of %llx %llx is not %d", text, (unsigned long long)x, (unsigned long long)y, q);
    }
  }
}

static void test_setp(void **state) {
  (void)state;
  for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++)
    for (size_t m = 0; m < sizeof cmps / sizeof *cmps; m++) {
      const kind *k = &kinds[n];
      const cmp *c = &cmps[m];
      if (k->is_float ? !c->for_float : !c->for_int || (k->bits && m > 1)) continue;
      for (unsigned b = 0; b < 4; b++)
        for (int form = 0; form < 2; form++) {
          char text[120], third[10] = "";
          if (b) snprintf(third, sizeof third, ", %s%%p1", form ? "!" : "");
          snprintf(text, sizeof text, "setp.%s.%s%s %%p0%s, %%%c1, %%%c2%s", c->name, bools[b], k->type,
                   form ? "|%p2" : "", k->reg, k->reg, third);
          check(text, k, c, b, form, form, false);
        }
      if (k->reg == 'h' && k->is_float) continue;
      char text[120];
      bool flush = k->type[1] == 't';
      snprintf(text, sizeof text, "set.%s.and.%su32.%s %%r0, %%%c1, %%%c2, %%p1", c->name,
               flush ? "ftz." : "", flush ? "f32" : k->type, k->reg, k->reg);
      check(text, k, c, 1, false, false, true);
    }
}

ORACLE(selp, c ? a : b)
ORACLE(slct_s32, sx(c, 32) >= 0 ? a : b)
ORACLE(slct_f32, sl__f32((uint32_t)c) >= 0 ? a : b)
ORACLE(set_f32, (int32_t)a < (int32_t)b ? 0x3f800000 : 0)
ORACLE(lower, (uint32_t)a < (uint32_t)b)
ORACLE(higher_same, (uint32_t)a >= (uint32_t)b)
ORACLE(lt16x2_lo, o_f16(a & 0xffff, b & 0xffff) == -1)
ORACLE(lt16x2_hi, o_f16(a >> 16, b >> 16) == -1)
ORACLE(set_f16, o_f16(a, b) == 0 ? 0x3c00 : 0)
ORACLE(set_u16, o_f16(a, b) == 2 ? 0xffff : 0)
ORACLE(set_bf16, o_bf16(a, b) == 1 ? 0x3f80 : 0)
ORACLE(set_f16x2,
       (o_f16(a & 0xffff, b & 0xffff) == -1 ? 0x3c00 : 0) | (o_f16(a >> 16, b >> 16) == -1 ? 0x3c000000 : 0))
ORACLE(set_u32_f16x2,
       (o_f16(a & 0xffff, b & 0xffff) == -1 ? 0xffff : 0) | (o_f16(a >> 16, b >> 16) == -1 ? 0xffff0000 : 0))
static const rig_case cases[] = {{"set.eq.f16.f16", "hhh", "ee", set_f16, 0},
                                 {"set.nan.u16.f16", "hhh", "ee", set_u16, 0},
                                 {"set.gt.bf16.bf16", "hhh", "bb", set_bf16, 0},
                                 {"set.lt.f16x2.f16x2", "rrr", "PP", set_f16x2, 0},
                                 {"set.lt.u32.f16x2", "rrr", "PP", set_u32_f16x2, 0},
                                 {"selp.b16", "hhhp", "iip", selp, 0},
                                 {"selp.f32", "rrrp", "fip", selp, 0},
                                 {"selp.s32", "rrrp", "iip", selp, 0},
                                 {"selp.b64", "dddp", "iip", selp, 0},
                                 {"selp.f64", "dddp", "gip", selp, 0},
                                 {"slct.s32.s32", "rrrr", "iii", slct_s32, 0},
                                 {"slct.u64.s32", "dddr", "iii", slct_s32, 0},
                                 {"slct.f32.f32", "rrrr", "fff", slct_f32, 0},
                                 {"slct.b64.f32", "dddr", "iif", slct_f32, 0},
                                 {"set.lt.f32.s32", "rrr", "ii", set_f32, 0},
                                 {"setp.lo.u32", "prr", "ii", lower, 0},
                                 {"setp.hs.u32", "prr", "ii", higher_same, 0},
                                 {"setp.lt.f16x2", "p|prr", "PP", lt16x2_lo, lt16x2_hi}};
static void test_select(void **state) {
  (void)state;
  RIG_CHECK_ALL(cases);
}

static void test_refused(void **state) {
  (void)state;
  static const char *const bad[] = {
      "setp.ltu.s32 %p0, %r1, %r2",  "setp.lt.b32 %p0, %r1, %r2",       "setp.s32 %p0, %r1, %r2",
      "setp.lo.f32 %p0, %r1, %r2",   "setp.lt.and.s32 %p0, %r1, %r2",   "setp.lt.s32 %p0, %r1, %r2, %p1",
      "setp.lt.s32 %r0, %r1, %r2",   "setp.lt.s64 %p0, %d1, %r2",       "setp.lt.ftz.f64 %p0, %d1, %d2",
      "setp.lt.u8 %p0, %h1, %h2",    "selp.pred %p0, %p1, %p2, %p3",    "selp.b32 %r0, %r1, %r2, %r3",
      "selp.b64 %d0, %d1, %r2, %p1", "slct.s32.u32 %r0, %r1, %r2, %r3", "set.lt.s64.s32 %d0, %r1, %r2",
      "set.lt.u32.b32 %r0, %r1, %r2"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    if (rig_load(bad[k])) fail_msg("%s is accepted", bad[k]);
}

int alu_set_test(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_setp), cmocka_unit_test(test_select),
                                     cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests_name("set", tests, NULL, NULL);
}
