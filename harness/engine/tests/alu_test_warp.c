// Warp instructions against the lane by lane definitions of the PTX manual.
#include "engine/tests/alu_rig.h"

static void load(const char *text) {
  if (!rig_load(text)) fail_msg("%s is refused: %s", text, rig_error);
}

// The manual's pseudo code: source lane and whether it is in range.
static int source_lane(char mode, int lane, uint32_t b, uint32_t c, bool *in_range) {
  int seg = c >> 8 & 31, cval = c & 31, bval = b & 31;
  int max_lane = (lane & seg) | (cval & ~seg), min_lane = lane & seg, j = 0;
  switch (mode) {
  case 'u':
    j = lane - bval;
    *in_range = j >= max_lane;
    break;
  case 'd':
    j = lane + bval;
    *in_range = j <= max_lane;
    break;
  case 'b':
    j = lane ^ bval;
    *in_range = j <= max_lane;
    break;
  default:
    j = min_lane | (bval & ~seg);
    *in_range = j <= max_lane;
  }
  return *in_range ? j : lane;
}

static void check_shfl(const char *mode, bool sync, uint32_t mask, uint32_t c, bool uniform, bool in_place) {
  char text[100];
  snprintf(text, sizeof text, "shfl.%s%s.b32 %s|%%p0, %%r1, %%r2, %%r3%s", sync ? "sync." : "", mode,
           in_place ? "%r1" : "%r0", sync ? ", %r4" : "");
  load(text);
  uint32_t b = (uint32_t)rig_random(), a[SL_LANES], old[SL_LANES], bs[SL_LANES];
  for (int l = 0; l < SL_LANES; l++) {
    rig_set("%r0", l, 1), rig_set("%r1", l, a[l] = (uint32_t)rig_random()),
        rig_set("%r2", l, bs[l] = uniform ? b : (uint32_t)rig_random());
    rig_set("%r3", l, c), rig_set("%r4", l, mask), rig_set("%p0", l, (unsigned)l & 1);
    old[l] = in_place ? a[l] : 1;
  }
  rig_converge_calls = 0;
  assert_int_equal(rig_run(mask), SL_STEP);
  assert_int_equal(rig_converge_calls, sync);
  if (sync) assert_int_equal(rig_converged, mask);
  for (int l = 0; l < SL_LANES; l++) {
    bool ok, on = mask >> l & 1;
    int j = source_lane(*mode, l, bs[l], c, &ok);
    uint32_t want = !on ? old[l] : mask >> j & 1 ? a[j] : a[l];
    if (rig_get(in_place ? "%r1" : "%r0", l) != want || rig_get("%p0", l) != (on ? ok : (unsigned)l & 1))
      fail_msg("%s c=%x mask=%x lane %d", text, c, mask, l);
  }
}

static void test_shfl(void **state) {
  (void)state;
  static const char *const modes[] = {"up", "down", "bfly", "idx"};
  static const uint32_t masks[] = {SL_FULL, 0x0000ffff, 0xf0f0f00f, 1};
  static const uint32_t limits[] = {0, 31, 0x1c03, 0x1803, 0x1000, 0x100f, 0x1e01, 7};
  for (unsigned n = 0; n < 2000; n++)
    check_shfl(modes[n % 4], n / 4 % 4, masks[n / 16 % 4], limits[n / 64 % 8], n % 3, n % 7 == 0);
}

static void put_all(const char *reg, uint32_t v) {
  for (int l = 0; l < SL_LANES; l++) rig_set(reg, l, v);
}

static void test_vote(void **state) {
  (void)state;
  static const uint32_t votes[] = {0, SL_FULL, 0x0000ffff, 0x00010000, 0xfffffffe, 0x12345678},
                        masks[] = {SL_FULL, 0xffff, 0xffff0000, 0x100};
  for (unsigned n = 0; n < 6 * 4 * 2; n++) {
    uint32_t mask = masks[n / 6 % 4], raw = votes[n % 6], v = (n / 24 ? ~raw : raw) & mask;
    const char *neg = n / 24 ? "!" : "";
    char text[100];
    for (int k = 0; k < 3; k++) {
      snprintf(text, sizeof text, "vote.sync.%s.pred %%p0, %s%%p1, %%r4",
               k == 0   ? "all"
               : k == 1 ? "any"
                        : "uni",
               neg);
      load(text);
      for (int l = 0; l < SL_LANES; l++) rig_set("%p1", l, raw >> l & 1), rig_set("%p0", l, 1);
      put_all("%r4", mask);
      rig_run(mask);
      bool want = k == 0 ? v == mask : k == 1 ? v != 0 : v == 0 || v == mask;
      for (int l = 0; l < SL_LANES; l++) assert_int_equal(rig_get("%p0", l), mask >> l & 1 ? want : 1);
    }
    snprintf(text, sizeof text, "vote.sync.ballot.b32 %%r0, %s%%p1, %%r4", neg);
    load(text);
    put_all("%r0", 77);
    rig_run(mask);
    for (int l = 0; l < SL_LANES; l++) assert_int_equal(rig_get("%r0", l), mask >> l & 1 ? v : 77);
  }
  load("vote.ballot.b32 %r0, %p1");
  for (int l = 0; l < SL_LANES; l++) rig_set("%p1", l, l % 2);
  rig_run(0xff);
  assert_int_equal(rig_get("%r0", 3), 0xaa);
  load("activemask.b32 %r0");
  rig_run(0x8001);
  assert_int_equal(rig_get("%r0", 15), 0x8001);
}

// Two halves of a warp with member masks of their own meet in one instruction: each half keeps to itself.
static void test_groups(void **state) {
  (void)state;
  load("vote.sync.ballot.b32 %r0, %p1, %r4");
  for (int l = 0; l < SL_LANES; l++)
    rig_set("%p1", l, 1), rig_set("%r4", l, l < 16 ? 0xffff : 0xffff0000), rig_set("%r1", l, (unsigned)l);
  rig_converge_calls = 0;
  rig_run(SL_FULL);
  assert_int_equal(rig_converge_calls, 2);
  assert_int_equal(rig_get("%r0", 0), 0xffff);
  assert_int_equal(rig_get("%r0", 31), 0xffff0000);
  load("redux.sync.add.u32 %r0, %r1, %r4");
  rig_run(SL_FULL);
  assert_int_equal(rig_get("%r0", 3), 120);
  assert_int_equal(rig_get("%r0", 16), 376);
  load("elect.sync _|%p0, %r4");
  rig_run(SL_FULL);
  for (int l = 0; l < SL_LANES; l++) assert_int_equal(rig_get("%p0", l), l == 0 || l == 16);
}

static void test_match(void **state) {
  (void)state;
  for (unsigned n = 0; n < 200; n++) {
    bool wide = n & 1;
    uint32_t mask = n & 2 ? SL_FULL : 0x0ff0ffff;
    uint64_t v[SL_LANES];
    load(wide ? "match.any.sync.b64 %r0, %d1, %r4" : "match.any.sync.b32 %r0, %r1, %r4");
    for (int l = 0; l < SL_LANES; l++) {
      v[l] = n < 4 ? 9 : rig_random() % (n / 8 + 1) << (wide ? 40 : 0);
      rig_set(wide ? "%d1" : "%r1", l, v[l]);
      rig_set("%r0", l, 5);
    }
    put_all("%r4", mask);
    rig_run(mask);
    bool all = true;
    for (int l = 0; l < SL_LANES; l++) {
      uint32_t want = 0;
      for (int k = 0; k < SL_LANES; k++) want |= (uint32_t)(v[k] == v[l]) << k;
      assert_int_equal(rig_get("%r0", l), mask >> l & 1 ? want & mask : 5);
      if (mask >> l & 1) all &= (want & mask) == mask;
    }
    load(wide ? "match.all.sync.b64 %r0|%p0, %d1, %r4" : "match.all.sync.b32 %r0|%p0, %r1, %r4");
    rig_run(mask);
    assert_int_equal(rig_get("%r0", 0), all ? mask : 0);
    assert_int_equal(rig_get("%p0", 0), all);
  }
}

static void test_redux(void **state) {
  (void)state;
  static const char *const ops[] = {"add.u32", "add.s32", "min.u32", "min.s32", "max.u32",
                                    "max.s32", "and.b32", "or.b32",  "xor.b32"};
  for (unsigned n = 0; n < 90; n++) {
    unsigned k = n % 9;
    uint32_t mask = n & 1 ? SL_FULL : 0x00ff0ff0;
    char text[80];
    snprintf(text, sizeof text, "redux.sync.%s %%r0, %%r1, %%r4", ops[k]);
    load(text);
    i128 want = 0;
    bool first = true;
    for (int l = 0; l < SL_LANES; l++) {
      uint32_t u = (uint32_t)rig_random();
      rig_set("%r1", l, u);
      if (!(mask >> l & 1)) continue;
      i128 v = k == 3 || k == 5 ? sx(u, 32) : (i128)u;
      want = first    ? v
             : k < 2  ? want + v
             : k < 4  ? (v < want ? v : want)
             : k < 6  ? (v > want ? v : want)
             : k == 6 ? want & v
             : k == 7 ? want | v
                      : want ^ v;
      first = false;
    }
    put_all("%r4", mask);
    rig_run(mask);
    assert_int_equal(rig_get("%r0", 5), (uint32_t)want);
  }
}

// When the members are not there, nothing is written.
static void test_waits(void **state) {
  (void)state;
  static const char *const texts[] = {"shfl.sync.idx.b32 %r0, %r1, 0, 31, -1",
                                      "vote.sync.ballot.b32 %r0, %p1, -1", "match.any.sync.b32 %r0, %r1, -1",
                                      "redux.sync.add.u32 %r0, %r1, -1", "elect.sync %r0|%p0, -1"};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    load(texts[k]);
    put_all("%r0", 123);
    rig_converge_step = SL_STEP_WAIT;
    assert_int_equal(rig_run(0xff), SL_STEP_WAIT);
    assert_int_equal(rig_converged, SL_FULL);
    rig_converge_step = SL_STEP;
    for (int l = 0; l < SL_LANES; l++) assert_int_equal(rig_get("%r0", l), 123);
  }
}

static void test_refused(void **state) {
  (void)state;
  static const char *const bad[] = {"shfl.sync.up.b64 %d0, %d1, %r2, %r3, %r4",
                                    "shfl.sync.b32 %r0, %r1, %r2, %r3, %r4",
                                    "shfl.sync.up.b32 %r0, %r1, %r2, %r3",
                                    "vote.sync.all.b32 %r0, %p1, %r4",
                                    "vote.sync.ballot.pred %p0, %p1, %r4",
                                    "vote.sync.all.pred %p0, %r1, %r4",
                                    "match.any.sync.b32 %r0|%p0, %r1, %r4",
                                    "match.any.sync.b16 %r0, %h1, %r4",
                                    "redux.sync.add.b32 %r0, %r1, %r4",
                                    "redux.sync.min.f32 %r0, %r1, %r4",
                                    "activemask.u32 %r0",
                                    "elect.sync %d0|%p0, %r4",
                                    "shfl.sync.up.b32 %r0, %r1, %r2, %r3, %d4"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    if (rig_load(bad[k])) fail_msg("%s is accepted", bad[k]);
}

int alu_warp_test(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_shfl),   cmocka_unit_test(test_vote),
                                     cmocka_unit_test(test_groups), cmocka_unit_test(test_match),
                                     cmocka_unit_test(test_redux),  cmocka_unit_test(test_waits),
                                     cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests_name("warp", tests, NULL, NULL);
}
