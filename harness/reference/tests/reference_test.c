// Unit tests of the reference: scans and sorts follow their definition on every CPU. The comparison has
// tests of its own: reference_compare_test.c, reference_sort_test.c.

#include "base/unit.h"
#include "reference/tests/test_input.h"

enum { N = 5000 };

// References ------------------------------------------------------------------------------------------------

// Element i by definition, from scratch: quadratic, so small n only.
static sl_elem by_definition(const sl_scan_spec *s, const void *in, size_t i) {
  sl_elem acc = sl_op_identity(s->type, s->op);
  size_t end = i + (s->kind == SL_INCLUSIVE);
  for (size_t k = 0; k < end; k++) acc = sl_op_apply(s->type, s->op, acc, sl_elem_at(in, s->type, k));
  return acc;
}

TEST(scans_follow_their_definition) {
  unsigned pairs = 0;
  uint32_t in[2 * 40];
  for (int type = 0; type < SL_TYPE_COUNT; type++)
    for (int op = 0; op < SL_OP_COUNT; op++)
      for (int kind = 0; kind < 2; kind++) {
        if (!sl_op_valid(type, op)) continue;
        sl_scan_spec s = {type, op, kind, 40};
        sl_scan_ref r;
        fill(type, in, 40);
        assert_true(sl_scan_ref_make(&r, &s, in, true, 0));
        for (size_t i = 0; i < 40; i++)
          assert_true(sl_elem_same(type, sl_elem_at(r.want, type, i), by_definition(&s, in, i)));
        sl_scan_ref_free(&r);
        pairs++;
      }
  assert_int_equal(pairs, 7 * 2);
}

// Scans go four or eight elements at a time: every remainder, and nothing written behind the end.
TEST(scans_of_every_small_size_follow_the_definition) {
  for (int type = 0; type < SL_TYPE_COUNT; type++)
    for (int op = 0; op < SL_OP_COUNT; op++)
      for (unsigned n = 0; n < 50 && sl_op_valid(type, op); n++) {
        uint32_t in[2 * 50], out[2 * 51];
        sl_scan_spec s = {type, op, n % 3 ? SL_INCLUSIVE : SL_EXCLUSIVE, n};
        fill(type, in, 50);
        memset(out, 0xA5, sizeof out);
        sl_scan_run(&s, in, out);
        for (unsigned i = 0; i < n; i++)
          assert_true(sl_elem_same(type, sl_elem_at(out, type, i), by_definition(&s, in, i)));
        assert_int_equal(out[n * sl_elem_size(type) / 4], 0xA5A5A5A5u);
      }
}

// The sum that rounds is the same bits whatever the CPU offers.
TEST(float_sums_do_not_depend_on_the_cpu) {
  float in[64], wide[64], twos[64];
  for (unsigned i = 0; i < 64; i++)
    in[i] = ldexpf((float)(i * 2654435761u >> 8) - 0x1p23f, (int)(i % 60) - 30);
  for (unsigned n = 0; n <= 64; n++) {
    sl_scan_spec s = {SL_F32, SL_ADD, n % 2 ? SL_INCLUSIVE : SL_EXCLUSIVE, n};
    double a = sl__scan_doubles(&s, 0.1, in, wide), b = sl__scan_doubles_by_twos(&s, 0.1, in, twos);
    assert_memory_equal(&a, &b, sizeof a);
    assert_memory_equal(wide, twos, n * sizeof *wide);
    b = sl__scan_doubles(&s, 0.1, in, NULL);
    assert_memory_equal(&a, &b, sizeof a);
  }
}

// Every type, operator and kind, in 1 to 7 threads, also more threads than elements: as in one.
TEST(scans_on_many_cores_are_the_same) {
  unsigned runs = 0;
  static uint32_t in[2 * N], one[2 * N], many[2 * N + 1];
  for (int type = 0; type < SL_TYPE_COUNT; type++)
    for (int op = 0; op < SL_OP_COUNT; op++)
      for (unsigned threads = 1; threads < 8; threads++) {
        sl_scan_spec s = {type, op, threads % 2 ? SL_INCLUSIVE : SL_EXCLUSIVE, threads == 5 ? 3 : N};
        if (!sl_op_valid(type, op)) continue;
        fill(type, in, N);
        sl_scan_run(&s, in, one);
        memset(many, 0xA5, sizeof many);
        assert_true(sl_scan_run_parallel(&s, threads, in, many));
        assert_memory_equal(one, many, s.n * sl_elem_size(type));
        assert_int_equal(many[s.n * sl_elem_size(type) / 4], 0xA5A5A5A5u);
        runs++;
      }
  assert_int_equal(runs, 7 * 7);
}

TEST(composition_is_not_commutative) {
  sl_elem f = {.a = {2, 3}}, g = {.a = {5, 7}}; // g(f(x)) = 5 (2x + 3) + 7
  sl_elem fg = sl_op_apply(SL_AFFINE, SL_COMPOSE, f, g), gf = sl_op_apply(SL_AFFINE, SL_COMPOSE, g, f);
  assert_true(sl_elem_same(SL_AFFINE, fg, (sl_elem){.a = {10, 22}}));
  assert_false(sl_elem_same(SL_AFFINE, fg, gf));
  assert_false(sl_op_valid(SL_AFFINE, SL_ADD));
  assert_false(sl_op_valid(SL_F32, SL_COMPOSE));
}

TEST(empty_scans_and_sorts_work) {
  sl_scan_spec s = {SL_F32, SL_ADD, SL_EXCLUSIVE, 0};
  sl_scan_ref r;
  sl_mismatch m;
  assert_true(sl_scan_ref_make(&r, &s, "", true, 0));
  assert_true(sl_compare_scan(&(sl_scan_check){.ref = &r, .in = "", .got = ""}, &m));
  sl_scan_ref_free(&r);
  uint32_t none;
  assert_true(sl_sort_order(SL_U32, &none, 0, &none, 0));
}

TEST(float_keys_follow_total_order) {
  const uint32_t ascending[] = {
      0xffc00000u, float_bits(-INFINITY), float_bits(-1),       0x80000001u, 0x80000000u, 0,
      1,           float_bits(1),         float_bits(INFINITY), 0x7fc00000u};
  for (size_t i = 1; i < sizeof ascending / 4; i++)
    assert_true(sl_sort_rank(SL_F32, ascending[i - 1]) < sl_sort_rank(SL_F32, ascending[i]));
  assert_true(sl_sort_rank(SL_I32, (uint32_t)-1) < sl_sort_rank(SL_I32, 0));
}

TEST(sorted_order_is_stable) {
  static uint32_t keys[N], order[N];
  for (size_t i = 0; i < N; i++) keys[i] = (uint32_t)(i * 2654435761u) >> 28;
  assert_true(sl_sort_order(SL_I32, keys, N, order, 0));
  for (size_t i = 1; i < N; i++) {
    assert_true(keys[order[i - 1]] <= keys[order[i]]);
    if (keys[order[i - 1]] == keys[order[i]]) assert_true(order[i - 1] < order[i]);
  }
}
