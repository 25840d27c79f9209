// Medians, bootstrap intervals, the rule for stopping, the comparison of clocks: against known distributions,
// with fixed seeds, so each number is the same in every run.

#include <math.h>
#include "base/unit.h"
#include "timing/timing.h"

static uint64_t drawn;

static double uniform(void) { // in (0, 1)
  drawn = drawn * 6364136223846793005u + 1442695040888963407u;
  return ((double)(drawn >> 12) + 0.5) / (double)(1ull << 52);
}

static double normal(void) { return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform()); }
static double exponential(void) { return -log(uniform()); }

// Intervals -------------------------------------------------------------------------------------------------

TEST(medians_are_medians) {
  double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2}, one[] = {7};
  assert_true(sl__median(odd, 3) == 3 && sl__median(even, 4) == 2.5 && sl__median(one, 1) == 7);
  sl_interval x = sl_median_interval(even, 4, 1);
  assert_true(x.value == 2.5 && x.lo == 1 && x.hi == 4); // too few for more
}

// How often the interval of 95 % holds the true median. 1200 samples: known within 0.013 (two sigma).
static double coverage(double (*draw)(void), double median, unsigned n) {
  unsigned hits = 0, rounds = 1200;
  double x[101];
  for (unsigned k = 0; k < rounds; k++) {
    for (unsigned i = 0; i < n; i++) x[i] = draw();
    sl_interval at = sl_median_interval(x, n, k);
    assert_true(at.lo <= at.value && at.value <= at.hi);
    hits += at.lo <= median && median <= at.hi;
  }
  return (double)hits / rounds;
}

TEST(intervals_hold_the_median) {
  static const struct {
    double (*draw)(void);
    double median;
    unsigned n;
  } rows[] = {{uniform, 0.5, 25},
              {uniform, 0.5, 100},
              {normal, 0, 26},
              {normal, 0, 101},
              {exponential, 0.6931471805599453, 51}};
  drawn = 1;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    double share = coverage(rows[k].draw, rows[k].median, rows[k].n);
    if (share < 0.925 || share > 0.97)
      fail_msg("row %zu: the interval holds the median in %g of all samples", k, share);
  }
}

// The median of n values of the normal distribution deviates by sqrt(pi / 2 / n): 95 % are 1.96 times that.
TEST(width_is_the_known_one) {
  double x[400], sum = 0;
  drawn = 2;
  for (unsigned k = 0; k < 50; k++) {
    for (unsigned i = 0; i < 400; i++) x[i] = normal();
    sl_interval at = sl_median_interval(x, 400, k);
    sum += (at.hi - at.lo) / 2;
  }
  double known = 1.96 * sqrt(1.5707963267948966 / 400);
  assert_true(fabs(sum / 50 / known - 1) < 0.08);
}

TEST(same_seed_same_interval) {
  double x[30];
  drawn = 3;
  for (unsigned i = 0; i < 30; i++) x[i] = exponential();
  sl_interval a = sl_median_interval(x, 30, 5), b = sl_median_interval(x, 30, 5);
  assert_memory_equal(&a, &b, sizeof a);
  double moved[30];
  for (unsigned i = 0; i < 30; i++) moved[i] = x[29 - i];
  b = sl_median_interval(moved, 30, 5); // the order of values does not matter
  assert_memory_equal(&a, &b, sizeof a);
}

TEST(outliers_do_not_move_it) {
  double x[50];
  for (unsigned i = 0; i < 50; i++) x[i] = i < 45 ? 10 + 0.001 * i : 1000; // one call in ten was interrupted
  sl_interval at = sl_median_interval(x, 50, 1);
  assert_true(at.hi < 10.1 && sl_half_width(&at) < 0.01);
}

TEST(ratios_have_intervals) {
  double a[60], b[60], off[60];
  drawn = 4;
  for (unsigned i = 0; i < 60; i++) {
    a[i] = 5 + 20 * (1 + 0.02 * normal());
    b[i] = 5 + 10 * (1 + 0.02 * normal());
  }
  const double five = 5, sixteen = 16;
  const sl_sample up = {a, 60}, down = {b, 60}, known = {&five, 1}, much = {&sixteen, 1}, unsure = {off, 60};
  for (unsigned i = 0; i < 60; i++) off[i] = 5 * (1 + 0.2 * normal());
  sl_interval x = sl_ratio_interval(up, down, NULL, 1); // with the overhead in both: nearer to one
  assert_true(x.hi < 1.75 && sl_half_width(&x) < 0.03);
  // what is taken off is not known well, so the ratio is not
  sl_interval y = sl_ratio_interval(up, down, &unsure, 1);
  assert_true(y.lo < 2 && 2 < y.hi && sl_half_width(&y) < 0.06);
  for (unsigned i = 0; i < 60; i++) off[i] = 5;
  x = sl_ratio_interval(up, down, &unsure, 1);
  assert_true(x.lo < 2 && 2 < x.hi && sl_half_width(&x) < 0.03 &&
              sl_half_width(&y) > 1.2 * sl_half_width(&x));
  y = sl_ratio_interval(up, down, &known, 1); // one value says nothing about how sure it is: the widest
  assert_true(y.value == x.value && y.lo < x.lo && y.hi > x.hi);
  x = sl_ratio_interval(up, down, &much, 1); // more is taken off than the denominator has
  assert_true(isinf(x.value) && !(sl_half_width(&x) < SL_NOISE_FLOOR));
}

// A busy machine allows a few values, and not the same to all: their interval is wide, on both sides of one.
TEST(few_values_are_sure_of_nothing) {
  const double slow[] = {10, 11}, fast[] = {5, 6}, off[] = {1, 4, 2};
  const sl_sample up = {slow, 2}, down = {fast, 2}, unsure = {off, 3};
  const sl_interval above = sl_ratio_interval(up, down, &unsure, 1),
                    below = sl_ratio_interval(down, up, &unsure, 1);
  assert_true(above.lo == 9.0 / 5 && above.value == 8.5 / 3.5 && above.hi == 7);
  assert_true(below.lo == 1.0 / 7 && below.value == 3.5 / 8.5 && below.hi == 5.0 / 9);
}

// Stopping --------------------------------------------------------------------------------------------------

static sl_stop stop_after(double noise, unsigned n, double elapsed) {
  static const sl_stop_rule rule = {.width = 0.01, .seconds = 2, .least = 10, .most = 100};
  double x[2][128];
  drawn = 6;
  for (unsigned i = 0; i < n; i++) x[0][i] = 3, x[1][i] = 5 * (1 + noise * normal());
  sl_sample both[2] = {{x[0], n}, {x[1], n}};
  return sl_stop_now(&rule, both, 2, elapsed);
}

TEST(stops_when_it_should) {
  assert_int_equal(stop_after(0, 9, 0.1), SL_GO_ON); // too few, however equal
  assert_int_equal(stop_after(0, 10, 0.1), SL_STOP_NARROW);
  assert_int_equal(stop_after(0.005, 12, 0.1), SL_STOP_NARROW);
  assert_int_equal(stop_after(0.2, 12, 0.1), SL_GO_ON); // one of the two is noisy: both go on
  assert_int_equal(stop_after(0.2, 12, 2.0), SL_STOP_TIME);
  assert_int_equal(stop_after(0, 3, 2.5), SL_STOP_TIME); // slow calls
  assert_int_equal(stop_after(0.2, 100, 0.1), SL_STOP_MOST);
  assert_int_equal(stop_after(0, 0, 9), SL_GO_ON); // nothing is measured without a value
}

// Clocks ----------------------------------------------------------------------------------------------------

TEST(clocks_are_compared) {
  assert_true(sl_clocks_agree(1000, 1165, 165, 20));
  assert_true(sl_clocks_agree(1000, 1150, 165, 20));
  assert_true(sl_clocks_agree(10, 180, 165, 20));     // below the noise, nothing speaks against it
  assert_false(sl_clocks_agree(500, 1165, 165, 20));  // events say half of what the host saw
  assert_false(sl_clocks_agree(1300, 1165, 165, 20)); // and more than it saw
  assert_false(sl_clocks_agree(-1, 1165, 165, 20));   // no events
  assert_false(sl_clocks_agree(1000, 1500, 165, 20));
}

// The device ------------------------------------------------------------------------------------------------

TEST(reasons_have_names) {
  char text[128], small[6];
  assert_string_equal(sl_throttle_text(0, text, sizeof text), "none");
  assert_string_equal(sl_throttle_text(0x44, text, sizeof text), "power-cap hw-thermal");
  assert_int_equal(strlen(sl_throttle_text(0x1ff, small, sizeof small)), 5);
  assert_true(sl_is_throttled(0x44) && !sl_is_throttled(0x1) && !sl_is_throttled(0));
  sl_device_state s;
  sl_device_state_read("ffff:ff:ff.f", &s); // no such device, with or without NVML
  assert_false(s.known);
}
