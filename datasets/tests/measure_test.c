// Unit tests of the post-conditions: every measure gives the value that a small array has, and every kind can
// fail.

#include "base/unit.h"
#include "data.h"
#include <math.h>

static float floats[] = {-1.5f, 2, 0, -0.0f, 1e-40f, INFINITY, 3}; // denormal: 1e-40
static float nans[] = {1, NAN, 2};
static int32_t ints[] = {3, -2, 5, 5, -7};
static uint32_t words[] = {0x00010203, 0x00010203, 0xFF010204, 0x80010205};
static sl_affine maps[] = {{1, 2}, {2, 3}, {4, 5}};

static const sl_array F = {SL_F32, 7, floats}, N = {SL_F32, 3, nans}, I = {SL_I32, 5, ints},
                      W = {SL_U32, 4, words}, A = {SL_AFFINE, 3, maps}, NONE = {SL_U32, 0, words};

static const struct {
  const char *measure;
  const sl_array *a;
  double value;
} TABLE[] = {
    {"min", &I, -7},
    {"max", &I, 5},
    {"sum", &I, 4},
    {"interval_sum", &I, 11},
    {"min", &F, -1.5},
    {"max", &F, INFINITY},
    {"integers", &F, 5},
    {"negatives", &F, 2},
    {"negatives", &I, 2},
    {"distinct", &I, 4},
    {"distinct", &F, 7},
    {"inversions", &I, 5},
    {"inversions", &F, 5},
    {"inversions", &W, 1},
    {"nans", &N, 1},
    {"nans", &F, 0},
    {"infinities", &F, 1},
    {"denormals", &F, 1},
    {"zeros", &F, 2},
    {"digit0_values", &W, 3},
    {"digit1_values", &W, 1},
    {"digit2_values", &W, 1},
    {"digit3_values", &W, 3},
    {"digit0_most", &W, 2},
    {"digit1_most", &W, 4},
    {"digit2_most", &W, 4},
    {"digit3_most", &W, 2},
    {"digit0_least", &W, 0},
    {"digit1_least", &W, 0},
    {"digit2_least", &W, 0},
    {"digit3_least", &W, 0},
    {"even_factors", &A, 2},
    {"sum", &NONE, 0},
    {"distinct", &NONE, 0},
    {"sum", &W, 0x00010203 * 2.0 + 0xFF010204 + 0x80010205},
};
enum { ROWS = sizeof TABLE / sizeof *TABLE };

TEST(values) {
  for (int i = 0; i < ROWS; i++) {
    double found = sl__measure(TABLE[i].measure, TABLE[i].a);
    if (found != TABLE[i].value)
      fail_msg("row %d: %s is %g, expected %g", i, TABLE[i].measure, found, TABLE[i].value);
  }
}

TEST(without_a_value) {
  assert_true(isnan(sl__measure("min", &NONE)));
  assert_true(isnan(sl__measure("max", &N)));
  assert_true(isnan(sl__measure("interval_sum", &F)));
  sl_error e = {0};
  sl_bound b = {"max", -1e300, 1e300};
  assert_false(sl__check_bounds("x", &N, &b, 1, &e));
  assert_non_null(strstr(e.text, "found nan"));
}

// Every measure of the table: bounds around its value hold, bounds just above and below it do not.
TEST(every_kind_can_fail) {
  const char *name, *help;
  for (size_t m = 0; sl__measure_at(m, SL_F32, &name, &help); m++) {
    int row = 0;
    while (row < ROWS && (strcmp(TABLE[row].measure, name) != 0 || !isfinite(TABLE[row].value))) row++;
    if (row == ROWS) fail_msg("measure %s has no row in the test", name);
    double v = TABLE[row].value;
    const sl_bound bounds[] = {{name, v, v}, {name, v + 1, v + 2}, {name, v - 2, v - 1}};
    for (int b = 0; b < 3; b++) {
      sl_error e = {0};
      assert_int_equal(sl__check_bounds("set", TABLE[row].a, &bounds[b], 1, &e), b == 0);
      assert_int_equal(e.code, b == 0 ? 0 : SL_EXIT_INPUT);
      if (b) assert_non_null(strstr(e.text, name));
    }
  }
}

TEST(message) {
  sl_error e = {0};
  const sl_bound bounds[] = {{"sum", 4, 4}, {"distinct", 5, 9}};
  assert_false(sl__check_bounds("walk", &I, bounds, 2, &e));
  assert_string_equal(e.text, "dataset walk: post-condition distinct: expected 5 to 9, found 4");
}

TEST(names) {
  sl_error e = {0};
  assert_true(sl__measure_check("nans", SL_F32, &e));
  assert_false(sl__measure_check("nans", SL_U32, &e));
  assert_non_null(strstr(e.text, "nans does not apply to type u32"));
  e = (sl_error){0};
  assert_false(sl__measure_check("inversoins", SL_U32, &e));
  assert_string_equal(e.hint, "did you mean inversions?");
}
