// Measures of an array, one number each. The post-conditions of the catalog are bounds on them.
//
// Interface: data.h. Each measure is a row of the table: name, types, help, function, argument. All values
// are doubles; counts stay below 2^53 and are exact. A measure without a value is NaN, and NaN violates any
// bound.
#include "data.h"

#include <math.h>

static double value_at(const sl_array *a, size_t i) {
  if (a->type == SL_F32) return ((const float *)a->data)[i];
  if (a->type == SL_I32) return ((const int32_t *)a->data)[i];
  return ((const uint32_t *)a->data)[i];
}

static uint32_t pattern(const sl_array *a, size_t i) { return ((const uint32_t *)a->data)[i]; }

// Maps element [i] to an unsigned number in the same order: integers by value, floats by IEEE 754 totalOrder.
static uint32_t order_key(const sl_array *a, size_t i) {
  uint32_t u = pattern(a, i);
  if (a->type == SL_U32) return u;
  if (a->type == SL_I32) return u ^ 0x80000000u;
  return u & 0x80000000u ? ~u : u | 0x80000000u;
}

static double extreme(const sl_array *a, int sign) {
  double best = NAN;
  for (size_t i = 0; i < a->n; i++) {
    double v = value_at(a, i);
    if (isnan(v)) return NAN;
    if (i == 0 || sign * v > sign * best) best = v;
  }
  return best;
}

static double total(const sl_array *a, int) {
  double sum = 0;
  for (size_t i = 0; i < a->n; i++) sum += value_at(a, i);
  return sum;
}

// The largest magnitude of any interval's sum: the largest prefix sum less the smallest.
static double interval_sum(const sl_array *a, int) {
  double sum = 0, low = 0, high = 0;
  for (size_t i = 0; i < a->n; i++) {
    sum += value_at(a, i);
    low = fmin(low, sum);
    high = fmax(high, sum);
  }
  return isfinite(sum) ? high - low : NAN;
}

static double integers(const sl_array *a, int) {
  size_t count = 0;
  for (size_t i = 0; i < a->n; i++) count += value_at(a, i) == rint(value_at(a, i));
  return (double)count;
}

static double negatives(const sl_array *a, int) {
  size_t count = 0;
  for (size_t i = 0; i < a->n; i++) count += pattern(a, i) >> 31;
  return (double)count;
}

static double class_count(const sl_array *a, int fp_class) {
  size_t count = 0;
  for (size_t i = 0; i < a->n; i++) count += fpclassify(((const float *)a->data)[i]) == fp_class;
  return (double)count;
}

static double even_factors(const sl_array *a, int) {
  size_t count = 0;
  for (size_t i = 0; i < a->n; i++) count += !(((const sl_affine *)a->data)[i].a & 1);
  return (double)count;
}

// Sorts keys[0..n) by merging and returns how many pairs were out of order. [tmp] holds n elements.
static uint64_t merge_sort(uint32_t *keys, uint32_t *tmp, size_t n) {
  if (n < 2) return 0;
  size_t half = n / 2, i = 0, j = half, k = 0;
  uint64_t inversions = merge_sort(keys, tmp, half) + merge_sort(keys + half, tmp, n - half);
  while (i < half && j < n) {
    bool right = keys[j] < keys[i];
    if (right) inversions += half - i;
    tmp[k++] = right ? keys[j++] : keys[i++];
  }
  while (i < half) tmp[k++] = keys[i++];
  memcpy(keys, tmp, k * sizeof *keys);
  return inversions;
}

// Number of inversions (what 0) or of distinct bit patterns (what 1).
static double by_sorting(const sl_array *a, int what) {
  uint32_t *keys = malloc(2 * (a->n + 1) * sizeof *keys);
  if (!keys) return NAN;
  for (size_t i = 0; i < a->n; i++) keys[i] = order_key(a, i);
  uint64_t inversions = merge_sort(keys, keys + a->n, a->n), distinct = a->n > 0;
  for (size_t i = 1; i < a->n; i++) distinct += keys[i] != keys[i - 1];
  free(keys);
  return (double)(what ? distinct : inversions);
}

static void histogram(const sl_array *a, int digit, size_t bins[256]) {
  memset(bins, 0, 256 * sizeof *bins);
  for (size_t i = 0; i < a->n; i++) bins[pattern(a, i) >> (8 * digit) & 255]++;
}

static double digit_values(const sl_array *a, int digit) {
  size_t bins[256], used = 0;
  histogram(a, digit, bins);
  for (int b = 0; b < 256; b++) used += bins[b] > 0;
  return (double)used;
}

static double digit_least(const sl_array *a, int digit) {
  size_t bins[256], least = SIZE_MAX;
  histogram(a, digit, bins);
  for (int b = 0; b < 256; b++) least = bins[b] < least ? bins[b] : least;
  return (double)least;
}

static double digit_most(const sl_array *a, int digit) {
  size_t bins[256], most = 0;
  histogram(a, digit, bins);
  for (int b = 0; b < 256; b++) most = bins[b] > most ? bins[b] : most;
  return (double)most;
}

// Table -----------------------------------------------------------------------------------------------------

enum { F = 1 << SL_F32, FIU = F | 1 << SL_I32 | 1 << SL_U32, A = 1 << SL_AFFINE };

static const struct {
  const char *name;
  unsigned types;
  const char *help;
  double (*fn)(const sl_array *a, int arg);
  int arg;
} MEASURES[] = {
    {"min", FIU, "smallest element", extreme, -1},
    {"max", FIU, "largest element", extreme, 1},
    {"sum", FIU, "sum of all elements", total, 0},
    {"interval_sum", FIU, "largest magnitude of the sum of neighbouring elements", interval_sum, 0},
    {"integers", FIU, "elements that are whole numbers", integers, 0},
    {"negatives", FIU, "elements with the top bit set", negatives, 0},
    {"distinct", FIU, "different bit patterns", by_sorting, 1},
    {"inversions", FIU, "pairs out of order", by_sorting, 0},
    {"nans", F, "NaNs", class_count, FP_NAN},
    {"infinities", F, "infinities", class_count, FP_INFINITE},
    {"denormals", F, "denormal numbers", class_count, FP_SUBNORMAL},
    {"zeros", F, "zeros of either sign", class_count, FP_ZERO},
    {"digit0_values", FIU, "values of bits 0-7 that occur", digit_values, 0},
    {"digit1_values", FIU, "values of bits 8-15 that occur", digit_values, 1},
    {"digit2_values", FIU, "values of bits 16-23 that occur", digit_values, 2},
    {"digit3_values", FIU, "values of bits 24-31 that occur", digit_values, 3},
    {"digit0_least", FIU, "elements with the rarest value of bits 0-7", digit_least, 0},
    {"digit1_least", FIU, "elements with the rarest value of bits 8-15", digit_least, 1},
    {"digit2_least", FIU, "elements with the rarest value of bits 16-23", digit_least, 2},
    {"digit3_least", FIU, "elements with the rarest value of bits 24-31", digit_least, 3},
    {"digit0_most", FIU, "elements with the commonest value of bits 0-7", digit_most, 0},
    {"digit1_most", FIU, "elements with the commonest value of bits 8-15", digit_most, 1},
    {"digit2_most", FIU, "elements with the commonest value of bits 16-23", digit_most, 2},
    {"digit3_most", FIU, "elements with the commonest value of bits 24-31", digit_most, 3},
    {"even_factors", A, "maps with even a", even_factors, 0},
};
enum { MEASURE_COUNT = sizeof MEASURES / sizeof *MEASURES };

bool sl__measure_at(size_t index, sl_type type, const char **name, const char **help) {
  if (index >= MEASURE_COUNT) return false;
  *name = MEASURES[index].name;
  *help = MEASURES[index].types & 1u << type ? MEASURES[index].help : NULL;
  return true;
}

static int find_measure(const char *name) {
  for (int m = 0; m < MEASURE_COUNT; m++)
    if (strcmp(name, MEASURES[m].name) == 0) return m;
  return -1;
}

bool sl__measure_check(const char *name, sl_type type, sl_error *e) {
  int m = find_measure(name);
  if (m >= 0 && (MEASURES[m].types & 1u << type)) return true;
  if (m >= 0)
    return sl_fail(e, SL_EXIT_INPUT, NULL, "post-condition %s does not apply to type %s", name,
                   sl_npy_type_name(type));
  const char *names[MEASURE_COUNT + 1] = {0};
  for (int i = 0; i < MEASURE_COUNT; i++) names[i] = MEASURES[i].name;
  const char *near = sl_nearest(name, names);
  char hint[64] = "";
  if (near) snprintf(hint, sizeof hint, "did you mean %s?", near);
  return sl_fail(e, SL_EXIT_INPUT, hint, "unknown post-condition '%s'", name);
}

double sl__measure(const char *name, const sl_array *a) {
  int m = find_measure(name);
  return m < 0 ? NAN : MEASURES[m].fn(a, MEASURES[m].arg);
}

bool sl__check_bounds(const char *set, const sl_array *a, const sl_bound *bounds, size_t n, sl_error *e) {
  for (size_t i = 0; i < n; i++) {
    const sl_bound *b = &bounds[i];
    double found = sl__measure(b->measure, a);
    if (!(found >= b->min && found <= b->max))
      return sl_fail(e, SL_EXIT_INPUT, "correct the bounds or the recipe of the set in the catalog",
                     "dataset %s: post-condition %s: expected %.17g to %.17g, found %.17g", set, b->measure,
                     b->min, b->max, found);
  }
  return true;
}
