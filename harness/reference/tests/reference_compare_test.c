// Unit tests of the comparison of scans: known-wrong results of every kind must be found and named.

#include "base/unit.h"
#include "reference/tests/test_input.h"

enum { N = 5000 };

typedef struct bench {
  sl_scan_ref ref;
  uint32_t in[N], got[N], poison[N];
  sl_mismatch m;
} bench;
static bench b;

static void set_up_of(sl_type type, sl_kind kind, bool rounding) {
  sl_scan_spec s = {type, SL_ADD, kind, N};
  sl_scan_ref_free(&b.ref);
  fill(type, b.in, N);
  if (rounding)
    for (size_t i = 0; i < N; i++) ((float *)b.in)[i] = 1 + (float)i * 0.37f;
  assert_true(sl_scan_ref_make(&b.ref, &s, b.in, rounding, 0));
  memcpy(b.got, b.ref.want, sizeof b.got);
  for (size_t i = 0; i < N; i++) b.poison[i] = 0xffa50000u + (uint32_t)i;
}

static bool compare(void) {
  return sl_compare_scan(&(sl_scan_check){.ref = &b.ref, .in = b.in, .got = b.got, .poison = b.poison}, &b.m);
}

static void expect_wrong(size_t wrong, size_t first, sl_pattern pattern) {
  assert_false(compare());
  assert_int_equal(b.m.wrong, wrong);
  assert_int_equal(b.m.first, first);
  assert_string_equal(sl_pattern_id(b.m.pattern), sl_pattern_id(pattern));
  assert_int_equal(!b.m.unwritten, strstr(b.m.detail, "around it") != NULL); // no values worth showing
  for (unsigned k = 0; !b.m.unwritten && k < b.m.n_around; k++) {
    const char *at = b.m.detail;
    for (unsigned line = 0; line < b.m.around[k]; line++) at = strchr(at, '\n') + 1;
    assert_memory_equal(at, "  around it", 11);
  }
}

static void expect_pattern(sl_pattern pattern) {
  assert_false(compare());
  assert_string_equal(sl_pattern_id(b.m.pattern), sl_pattern_id(pattern));
}

// What is found of a few sums [got] that are wrong.
static sl_mismatch wrong_scan(const sl_scan_spec *s, const void *in, const void *got) {
  sl_scan_ref ref;
  sl_mismatch m;
  assert_true(sl_scan_ref_make(&ref, s, in, false, 1));
  assert_false(sl_compare_scan(&(sl_scan_check){.ref = &ref, .in = in, .got = got}, &m));
  sl_scan_ref_free(&ref);
  return m;
}

TEST(right_results_pass) {
  for (int rounding = 0; rounding < 2; rounding++) {
    set_up_of(SL_F32, SL_EXCLUSIVE, rounding);
    assert_true(compare());
    assert_int_equal(b.m.wrong, 0);
  }
  set_up_of(SL_F32, SL_EXCLUSIVE, false);
  b.got[0] = 0x80000000u; // -0 for +0
  assert_true(compare());
}

// In pieces that do not divide the size. [wrong]: a wrong element, N: none. Returns the piece that was wrong.
static size_t walk(sl_type type, sl_op op, sl_kind kind, size_t wrong) {
  enum { PIECE = 1024 };
  const sl_scan_spec s = {type, op, kind, N};
  sl_scan_walk w = sl_scan_walk_begin(&s, b.in);
  size_t k = 0;
  fill(type, b.in, N);
  sl_scan_run(&s, b.in, b.got);
  if (wrong < N) b.got[wrong] ^= 1;
  while (k * PIECE < N &&
         sl_scan_walk_right(&w, k * PIECE + PIECE < N ? PIECE : N - k * PIECE, b.got + k * PIECE))
    k++;
  sl_scan_walk_end(&w);
  return k;
}

TEST(results_that_are_not_kept_are_compared_in_order) {
  for (sl_kind kind = SL_INCLUSIVE; kind <= SL_EXCLUSIVE; kind++)
    for (size_t wrong = 0; wrong <= N; wrong += 1250) {
      assert_int_equal(walk(SL_U32, SL_ADD, kind, wrong), wrong / 1024 + (wrong == N));
      assert_int_equal(walk(SL_I32, SL_MAX, kind, wrong), wrong / 1024 + (wrong == N));
    }
}

TEST(wrong_ones_are_counted_in_pieces) {
  enum { PIECE = 1024 };
  for (sl_kind kind = SL_INCLUSIVE; kind <= SL_EXCLUSIVE; kind++) {
    const sl_scan_spec s = {SL_I32, SL_ADD, kind, N};
    sl_scan_walk w = sl_scan_walk_begin(&s, b.in);
    size_t wrong = 0, first = N;
    fill(SL_I32, b.in, N);
    sl_scan_run(&s, b.in, b.got);
    b.got[1500] ^= 1, b.got[1501] ^= 1, b.got[N - 1] ^= 1;
    for (size_t at = 0; at < N; at += PIECE)
      assert_true(sl_scan_walk_count(&w, N - at < PIECE ? N - at : PIECE, b.got + at, &wrong, &first));
    sl_scan_walk_end(&w);
    assert_int_equal(wrong, 3);
    assert_int_equal(first, 1500);
  }
}

TEST(nan_never_passes) {
  for (int rounding = 0; rounding < 2; rounding++) {
    set_up_of(SL_F32, SL_EXCLUSIVE, rounding);
    b.got[7] = 0x7fc00000u;
    expect_wrong(1, 7, SL_PATTERN_NAN);
    memset(b.got, 0xff, sizeof b.got);
    expect_wrong(N, 0, SL_PATTERN_NAN);
    set_up_of(SL_F32, SL_EXCLUSIVE, rounding);
    b.got[7] = float_bits(INFINITY);
    expect_wrong(1, 7, SL_PATTERN_NONE);
    assert_memory_equal(b.m.got, "inf", 3);
  }
}

TEST(infinities_are_compared_by_class) {
  set_up_of(SL_F32, SL_INCLUSIVE, true);
  b.in[10] = float_bits(INFINITY);
  b.in[20] = float_bits(-INFINITY);
  sl_scan_spec s = b.ref.spec;
  sl_scan_ref_free(&b.ref);
  assert_true(sl_scan_ref_make(&b.ref, &s, b.in, true, 0));
  memcpy(b.got, b.ref.want, sizeof b.got);
  assert_true(compare());
  b.got[12] = float_bits(-INFINITY);
  b.got[13] = float_bits(3);
  b.got[25] = float_bits(3);
  expect_wrong(3, 12, SL_PATTERN_NONE);
  assert_memory_equal(b.m.got, "-inf", 4);
}

TEST(rounding_is_allowed_and_no_more) {
  set_up_of(SL_F32, SL_INCLUSIVE, true);
  float *got = (float *)b.got, acc = 0;
  for (size_t i = 0; i < N; i++) got[i] = acc += ((float *)b.in)[i] * (1 + 0x1p-23f);
  double bound = sl_rounding_bound(&b.ref, 100);
  set_up_of(SL_F32, SL_INCLUSIVE, true);
  got[100] += (float)(bound * 0.9);
  assert_true(compare());
  got[100] += (float)(bound * 0.3);
  expect_wrong(1, 100, SL_PATTERN_NONE);
  assert_non_null(strstr(b.m.detail, "rounding may change it by"));
}

// Sums one element after the other, the order that rounds worst; element [left_out] is not added.
static void sum_in_turn(const float *in, size_t n, size_t left_out, float *out) {
  volatile float sum = 0; // rounded after each addition
  for (size_t i = 0; i < n; i++) out[i] = sum += i == left_out ? 0 : in[i];
}

// An element of the course's data that is left out still shows.
TEST(every_order_of_summation_is_allowed) {
  enum { TERMS = 2801 };
  static float in[TERMS], got[TERMS];
  sl_scan_spec s = {SL_F32, SL_ADD, SL_INCLUSIVE, TERMS};
  sl_scan_ref ref;
  for (size_t i = 0; i < TERMS; i++) in[i] = 0.1f;
  assert_true(sl_scan_ref_make(&ref, &s, in, true, 1));
  sum_in_turn(in, TERMS, TERMS, got);
  assert_true(sl_scan_part_right(&ref, 0, TERMS, got));
  for (size_t left_out = 0; left_out < TERMS; left_out += 175) {
    sum_in_turn(in, TERMS, left_out, got);
    assert_false(sl_scan_part_right(&ref, 0, TERMS, got));
  }
  sl_scan_ref_free(&ref);
}

TEST(patterns_are_named) {
  static const sl_type types[] = {SL_F32, SL_U32};
  for (int k = 0; k < 2; k++) {
    set_up_of(types[k], SL_EXCLUSIVE, false);
    memcpy(b.got, b.poison, sizeof b.got);
    expect_wrong(N, 0, SL_PATTERN_NONE);
    assert_true(b.m.unwritten);

    set_up_of(types[k], SL_EXCLUSIVE, false);
    memcpy(b.got + 1024, b.poison + 1024, sizeof b.got - 4096);
    expect_wrong(N - 1024, 1024, SL_PATTERN_NONE);
    assert_true(b.m.unwritten);

    memset(b.got, 0, sizeof b.got);
    expect_pattern(SL_PATTERN_ZERO);

    set_up_of(types[k], SL_EXCLUSIVE, false);
    b.got[N - 1] ^= 0x00400000u;
    expect_wrong(1, N - 1, SL_PATTERN_LAST);
  }
}

// Elements stored one place too far left, and the last one nowhere: that is no inclusive scan.
TEST(gaps_are_named) {
  set_up_of(SL_U32, SL_EXCLUSIVE, false);
  memmove(b.got, b.got + 1, sizeof b.got - 4);
  b.got[N - 1] = b.poison[N - 1];
  expect_wrong(N, 0, SL_PATTERN_GAPS);
}

TEST(cut_fractions_are_named) {
  set_up_of(SL_F32, SL_INCLUSIVE, true);
  float *got = (float *)b.got;
  for (size_t i = 0; i < N; i++) got[i] = truncf(got[i]);
  expect_pattern(SL_PATTERN_CUT);
}

// Where all elements are below 1 their sums are 0, which says less than that they were cut off.
TEST(sums_of_cut_fractions_are_zero) {
  set_up_of(SL_F32, SL_INCLUSIVE, true);
  float *in = (float *)b.in, *got = (float *)b.got;
  const sl_scan_spec s = b.ref.spec;
  for (size_t i = 0; i < N; i++) in[i] = (float)(1 + i % 7) / 8 + 0x1p-20f;
  sl_scan_ref_free(&b.ref);
  assert_true(sl_scan_ref_make(&b.ref, &s, b.in, true, 0));
  for (size_t i = 1; i < N; i++) got[i] = 0;
  got[0] = in[0];
  expect_wrong(N - 1, 1, SL_PATTERN_CUT);
  for (size_t i = 0; i < N; i++) in[i] += 1; // to be cut off to 1: nothing makes these 0
  sl_scan_ref_free(&b.ref);
  assert_true(sl_scan_ref_make(&b.ref, &s, b.in, true, 0));
  got[0] = in[0];
  expect_wrong(N - 1, 1, SL_PATTERN_ZERO);
}

TEST(off_by_one_is_named) {
  set_up_of(SL_U32, SL_EXCLUSIVE, false);
  memmove(b.got, b.got + 1, sizeof b.got - 4);
  expect_pattern(SL_PATTERN_INCLUSIVE);
  set_up_of(SL_U32, SL_INCLUSIVE, false);
  memmove(b.got + 1, b.got, sizeof b.got - 4);
  b.got[0] = 0;
  expect_wrong(N, 0, SL_PATTERN_EXCLUSIVE);
}

// What stands before all elements: the total, in a tree whose root was not cleared.
TEST(a_second_shift_is_named) {
  set_up_of(SL_U32, SL_EXCLUSIVE, false);
  memmove(b.got + 1, b.got, sizeof b.got - 4);
  b.got[0] = 0;
  expect_pattern(SL_PATTERN_TWICE);
}

TEST(one_sum_for_all_is_named) {
  static const sl_kind kinds[] = {SL_INCLUSIVE, SL_EXCLUSIVE};
  for (int k = 0; k < 2; k++) {
    set_up_of(SL_U32, kinds[k], false);
    for (size_t i = 0; i < N; i++) b.got[i] = b.got[N - 1];
    expect_pattern(SL_PATTERN_TOTAL);
  }
}

// 1 2 4 8, of which the two in the middle have been exchanged: no sum has too few elements.
TEST(elements_at_others_places_are_named) {
  static const uint32_t in[] = {1, 2, 4, 8}, exchanged[] = {0, 1, 5, 7}, lacking[] = {0, 1, 1, 7};
  const sl_scan_spec s = {SL_U32, SL_ADD, SL_EXCLUSIVE, 4};
  assert_int_equal(wrong_scan(&s, in, exchanged).pattern, SL_PATTERN_OTHERS);
  assert_int_not_equal(wrong_scan(&s, in, lacking).pattern, SL_PATTERN_OTHERS);
  static const uint32_t apart[] = {1, 4, 16, 64}, doubled[] = {0, 1, 5, 1 + 8 + 16}; // 2 x 4 is no element
  assert_int_not_equal(wrong_scan(&s, apart, doubled).pattern, SL_PATTERN_OTHERS);
}

TEST(same_offset_is_named) {
  set_up_of(SL_U32, SL_EXCLUSIVE, false);
  for (size_t i = 0; i < N; i++) b.got[i] += 77;
  expect_wrong(N, 0, SL_PATTERN_SHIFTED);
  set_up_of(SL_F32, SL_EXCLUSIVE, false);
  for (size_t i = 0; i < N; i++) ((float *)b.got)[i] += 77;
  expect_wrong(N, 0, SL_PATTERN_SHIFTED);
  b.got[5] ^= 0x00400000u;
  expect_wrong(N, 0, SL_PATTERN_WHOLE);
}

// Tiles of 1024 scanned by themselves.
TEST(dropped_carry_is_named) {
  for (int kind = 0; kind < 2; kind++) {
    set_up_of(SL_U32, kind, false);
    for (size_t i = 0, acc = 0; i < N; i++) {
      if (i % 1024 == 0) acc = 0;
      b.got[i] = (uint32_t)(kind == SL_INCLUSIVE ? acc + b.in[i] : acc);
      acc += b.in[i];
    }
    expect_wrong(N - 1024, 1024, SL_PATTERN_TILE_ALONE);
  }
}

// The last tile gets another sum than that of all before it: nothing, all but one, its own total, too.
TEST(wrong_carry_is_named) {
  enum { LAST = 4096, TILE = N - LAST };
  for (int kind = 0; kind < 2; kind++) {
    set_up_of(SL_U32, kind, false);
    uint32_t before = 0, own = 0;
    for (size_t i = 0; i < N; i++) *(i < LAST ? &before : &own) += b.in[i];
    for (size_t i = LAST; i < N; i++) b.got[i] -= before;
    expect_wrong(TILE, LAST, SL_PATTERN_ALONE);
    set_up_of(SL_U32, kind, false);
    for (size_t i = LAST; i < N; i++) b.got[i] -= b.in[LAST - 1];
    expect_wrong(TILE, LAST, SL_PATTERN_LACKS_ONE);
    set_up_of(SL_U32, kind, false);
    for (size_t i = LAST; i < N; i++) b.got[i] += own;
    expect_wrong(TILE, LAST, SL_PATTERN_OWN_TOO);
    set_up_of(SL_U32, kind, false);
    for (size_t i = LAST - 1024; i < LAST; i++) before -= b.in[i];
    for (size_t i = LAST; i < N; i++) b.got[i] -= before;
    expect_wrong(TILE, LAST, SL_PATTERN_NEAREST);
    set_up_of(SL_U32, kind, false);
    for (size_t i = 1025; i < LAST; i++) b.got[LAST] -= b.in[i];
    for (size_t i = LAST + 1; i < N; i++)
      b.got[i] -= b.ref.want ? ((uint32_t *)b.ref.want)[LAST] - b.got[LAST] : 0;
    expect_wrong(TILE, LAST, SL_PATTERN_PART);
  }
}

TEST(input_shifted_the_other_way_is_named) {
  set_up_of(SL_U32, SL_EXCLUSIVE, false);
  uint32_t sum = 0;
  for (size_t i = 0; i < N; i++) b.got[i] = sum += i + 1 < N ? b.in[i + 1] : 0;
  expect_pattern(SL_PATTERN_NEXT);
}

TEST(a_lost_first_element_is_named) {
  for (sl_kind kind = SL_INCLUSIVE; kind <= SL_EXCLUSIVE; kind++) {
    set_up_of(SL_U32, kind, false);
    uint32_t sum = 0;
    for (size_t i = 0; i < N; i++) b.got[i] = sum += i ? b.in[i] : 0;
    expect_pattern(SL_PATTERN_FIRST_LOST);
  }
}

// What a few sums have in common, of the input 3 1 7 0 .., which begins with two equal elements if [equal].
static sl_pattern pattern_of_few(sl_kind kind, size_t n, bool equal, const uint32_t *got) {
  const uint32_t in[] = {equal ? 1 : 3, 1, 7, 0, 4};
  const sl_scan_spec s = {SL_U32, SL_ADD, kind, n};
  return wrong_scan(&s, in, got).pattern;
}

TEST(sums_at_the_wrong_places_are_named) {
  static const uint32_t reversed[] = {15, 11, 11, 4, 3}, crossed[] = {3, 0, 11, 4, 11},
                        another[] = {15, 11, 11, 4, 2};
  assert_int_equal(pattern_of_few(SL_INCLUSIVE, 5, false, reversed), SL_PATTERN_MOVED);
  assert_int_equal(pattern_of_few(SL_EXCLUSIVE, 4, false, crossed), SL_PATTERN_MOVED);
  assert_int_not_equal(pattern_of_few(SL_INCLUSIVE, 5, false, another), SL_PATTERN_MOVED);
  assert_int_not_equal(pattern_of_few(SL_INCLUSIVE, 2, true, (uint32_t[]){2, 1}),
                       SL_PATTERN_MOVED); // or a suffix
}

TEST(two_elements_are_inclusive_only_with_their_sum) {
  assert_int_equal(pattern_of_few(SL_EXCLUSIVE, 2, true, (uint32_t[]){1, 2}), SL_PATTERN_INCLUSIVE);
  assert_int_equal(pattern_of_few(SL_EXCLUSIVE, 2, true, (uint32_t[]){1, 0}), SL_PATTERN_WHOLE);
}

// With powers of 8 for input the sums tell which elements they hold; else, or beyond 8^8, nothing is told.
TEST(summands_are_told) {
  enum { M = 3 };
  float in[M] = {1, 8, 64}, got[M] = {0, 1, 1 + 2 * 8};
  const sl_scan_spec s = {SL_F32, SL_ADD, SL_EXCLUSIVE, M};
  assert_string_equal(wrong_scan(&s, in, got).detail,
                      "out[2]: got in[0] + 2 in[1], expected in[0] + in[1]\n");
  got[0] = 64, got[2] = 9;
  assert_string_equal(wrong_scan(&s, in, got).detail, "out[0]: got in[2], expected nothing (0)\n");
  static const float UNTOLD[] = {512, -1, 0.5f, NAN, INFINITY};
  for (size_t k = 0; k < sizeof UNTOLD / sizeof *UNTOLD; k++) {
    got[0] = UNTOLD[k];
    assert_non_null(strstr(wrong_scan(&s, in, got).detail, "around it"));
  }
}

// What all lines have told already is not told again; a right element stands in that line alone.
TEST(few_elements_that_are_all_wrong_have_no_neighbours) {
  enum { M = 3 };
  float in[M] = {1, 2, 3}, got[M] = {9, 9, 9};
  const sl_scan_spec s = {SL_F32, SL_ADD, SL_INCLUSIVE, M};
  const sl_mismatch m = wrong_scan(&s, in, got);
  assert_null(strstr(m.detail, "around it"));
  assert_int_equal(m.n_around, 0);
  got[0] = 1;
  assert_non_null(strstr(wrong_scan(&s, in, got).detail, "around it, got (expected): 1 (1) 9 (3) 9 (6)"));
}

// Maps do not commute: the factors are right, the constants are not.
TEST(swapped_sides_are_named) {
  enum { MAPS = 64 };
  sl_affine in[MAPS], got[MAPS], all = {1, 0};
  for (uint32_t i = 0; i < MAPS; i++) {
    in[i] = (sl_affine){2 * i + 3, i * i + 1};
    const sl_affine x = in[i];
    got[i] = all = (sl_affine){x.a * all.a, all.a * x.b + all.b}; // x first, then what came before
  }
  const sl_scan_spec s = {SL_AFFINE, SL_COMPOSE, SL_INCLUSIVE, MAPS};
  assert_string_equal(sl_pattern_id(wrong_scan(&s, in, got).pattern), "swapped");
  got[5].a++;
  assert_string_not_equal(sl_pattern_id(wrong_scan(&s, in, got).pattern), "swapped");
  got[5].a--, got[1].b++; // of two maps, neither order
  assert_string_not_equal(sl_pattern_id(wrong_scan(&s, in, got).pattern), "swapped");
}

TEST(identity_of_max_is_named) {
  const int32_t in[] = {-5, -9, -2, 4, 1}, got[] = {0, 0, 0, 4, 4};
  const sl_scan_spec s = {SL_I32, SL_MAX, SL_INCLUSIVE, 5};
  assert_string_equal(sl_pattern_id(wrong_scan(&s, in, got).pattern), "above_zero");
}

TEST(indices_are_named) {
  set_up_of(SL_I32, SL_EXCLUSIVE, false);
  for (size_t i = 1; i < N; i += 2) b.got[i] += 77;
  expect_wrong(N / 2, 1, SL_PATTERN_ODD);
  set_up_of(SL_I32, SL_EXCLUSIVE, false);
  for (size_t i = 2048; i < N; i++) b.got[i] += 77;
  expect_wrong(N - 2048, 2048, SL_PATTERN_FROM_THERE);
}
