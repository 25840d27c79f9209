// Unit tests of the comparison of sorts: known-wrong results of every kind must be found and named.
#include "base/unit.h"
#include "reference/tests/test_input.h"

enum { N = 5000 };

typedef struct sort_bench {
  uint32_t keys[N], values[N], order[N], keys_out[N], values_out[N], poison[N];
} sort_bench;
static sort_bench s;

static sl_sort_check sort_set_up(sl_type type) {
  for (size_t i = 0; i < N; i++) {
    s.keys[i] = (uint32_t)(i * 2654435761u) & 0xf800000fu;
    s.values[i] = (uint32_t)(i * 40503u + 9);
    s.poison[i] = 0xffa50000u + (uint32_t)i;
  }
  assert_true(sl_sort_order(type, s.keys, N, s.order, 0));
  for (size_t i = 0; i < N; i++) {
    s.keys_out[i] = s.keys[s.order[i]];
    s.values_out[i] = s.values[s.order[i]];
  }
  return (sl_sort_check){type, N, s.keys, s.values, s.order, s.keys_out, s.values_out, s.poison};
}

static sl_mismatch expect_sort(const sl_sort_check *c, sl_pattern pattern) {
  sl_mismatch m;
  assert_false(sl_compare_sort(c, &m));
  assert_true(m.wrong > 0);
  assert_string_equal(sl_pattern_id(m.pattern), sl_pattern_id(pattern));
  return m;
}

TEST(right_sorts_pass) {
  sl_mismatch m;
  for (int type = SL_F32; type <= SL_U32; type++) {
    sl_sort_check c = sort_set_up(type);
    assert_true(sl_compare_sort(&c, &m));
    c.values_in = NULL;
    memset(s.values_out, 0, sizeof s.values_out);
    assert_true(sl_compare_sort(&c, &m));
  }
}

// What all lines have told already is not told again.
TEST(few_keys_that_are_all_wrong_have_no_neighbours) {
  uint32_t keys[] = {3, 2, 1, 0}, order[4], zeros[4] = {9, 9, 9, 9};
  sl_mismatch m;
  assert_true(sl_sort_order(SL_U32, keys, 4, order, 0));
  sl_sort_check c = {.type = SL_U32, .n = 4, .keys_in = keys, .order = order, .keys_out = zeros};
  assert_false(sl_compare_sort(&c, &m));
  assert_null(strstr(m.detail, "around it"));
  zeros[1] = 1;
  assert_false(sl_compare_sort(&c, &m));
  assert_non_null(strstr(m.detail, "around it, got (expected): 9 (0) 1 (1) 9 (2)"));
}

static void swap(uint32_t *x, uint32_t *y) {
  uint32_t t = *x;
  *x = *y;
  *y = t;
}

TEST(wrong_sorts_are_named) {
  sl_sort_check c = sort_set_up(SL_U32);
  size_t twin = 1;
  while (s.keys_out[twin] != s.keys_out[twin - 1]) twin++;
  swap(&s.values_out[twin], &s.values_out[twin - 1]);
  expect_sort(&c, SL_PATTERN_UNSTABLE);

  c = sort_set_up(SL_U32);
  memcpy(s.values_out, s.values, sizeof s.values);
  s.values_out[0] = 1;
  expect_sort(&c, SL_PATTERN_PAYLOADS_LOST);
  s.values_out[0] = s.values[1], s.values_out[1] = s.values[0];
  expect_sort(&c, SL_PATTERN_UNSTABLE);

  c = sort_set_up(SL_U32);
  c.n = 2; // without equal keys
  s.keys[0] = s.keys_out[0] = 1, s.keys[1] = s.keys_out[1] = 2, s.order[0] = 0, s.order[1] = 1;
  s.values_out[0] = s.values[1], s.values_out[1] = s.values[0];
  expect_sort(&c, SL_PATTERN_PAYLOADS);

  c = sort_set_up(SL_U32);
  s.keys_out[3] = s.keys_out[4000];
  expect_sort(&c, SL_PATTERN_LOST_KEYS);

  c = sort_set_up(SL_U32);
  swap(&s.keys_out[3], &s.keys_out[4000]);
  assert_int_equal(expect_sort(&c, SL_PATTERN_DESCENT).descent, 4);

  c = sort_set_up(SL_U32);
  memcpy(s.keys_out, s.keys, sizeof s.keys);
  expect_sort(&c, SL_PATTERN_UNSORTED);

  c = sort_set_up(SL_U32);
  memcpy(s.keys_out, s.poison, sizeof s.poison);
  assert_true(expect_sort(&c, SL_PATTERN_NONE).unwritten);

  c = sort_set_up(SL_U32);
  memset(s.keys_out, 0, sizeof s.keys_out);
  expect_sort(&c, SL_PATTERN_LOST_KEYS);
}

TEST(transform_that_is_not_undone_is_named) {
  for (int type = SL_F32; type <= SL_I32; type++) {
    sl_sort_check c = sort_set_up(type);
    for (size_t i = 0; i < N; i++)
      if (s.keys_out[i] >> 31) s.keys_out[i] ^= 0x7fffffffu;
    expect_sort(&c, SL_PATTERN_TURNED);
  }
}

TEST(keys_that_are_decoded_and_were_never_encoded_are_named) {
  for (int type = SL_F32; type <= SL_I32; type++) {
    sl_sort_check c = sort_set_up(type);
    uint32_t order[N];
    assert_true(sl_sort_order(SL_U32, s.keys, N, order, 0));
    for (size_t i = 0; i < N; i++) {
      const uint32_t key = s.keys[order[i]];
      s.keys_out[i] = type == SL_F32 && key >> 31 == 0 ? ~key : key ^ 0x80000000u;
    }
    expect_sort(&c, SL_PATTERN_NOT_ENCODED);
  }
}

TEST(missing_sign_transform_is_named) {
  for (int type = SL_F32; type <= SL_I32; type++) {
    sl_sort_check c = sort_set_up(SL_U32); // the order of unsigned numbers ...
    memcpy(s.values, s.keys_out, sizeof s.values);
    c = sort_set_up(type); // ... given as that of signed ones
    uint32_t order[N];
    assert_true(sl_sort_order(SL_U32, s.keys, N, order, 0));
    for (size_t i = 0; i < N; i++) s.keys_out[i] = s.keys[order[i]];
    expect_sort(&c, SL_PATTERN_SIGN);
  }
}
